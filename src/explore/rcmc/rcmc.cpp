#include "explore/rcmc/rcmc.hpp"

#include <algorithm>

#include "core/assert.hpp"
#include "explore/rcmc/fingerprint.hpp"
#include "explore/rcmc/level.hpp"
#include "explore/rcmc/sc.hpp"
#include "explore/request/coverage.hpp"
#include "models/preconsistency.hpp"

namespace heddle {
namespace {

template <PreconsistentModel Model>
class Rcmc : public Kernel<Rcmc<Model>, RcmcLevel> {
  using Base = Kernel<Rcmc<Model>, RcmcLevel>;
  friend Base;

 public:
  static constexpr ModelKind kModel = Model::kKind;
  static constexpr Sync kSync = Model::kSync;
  static constexpr bool kReplayToError = false;

  Rcmc(Machine& machine, const Request& request)
      : Base(machine, request), sc_(model_, request.rcmc.psc, this->scratch_) {}

 private:
  using Base::check_race;
  using Base::complete;
  using Base::graph;
  using Base::kept_;
  using Base::level_;
  using Base::machine_;
  using Base::request_;
  using Base::scratch_;
  using Base::tally_;

  // VISITREAD (Algorithm 2). Of the writes in the sbrf-prefix, the latest that the thread knows of is the default.
  bool read(ThreadId t, const Action& a) {
    Graph& g = graph();
    const LocId l = enter(g, machine_, a);
    const EventId r = g.add_read(t, a, kInit);
    sources_.clear();
    EventId standard = model_.sources(g, r, sources_);
    for (EventId next = standard; next != kNoEvent;) {
      standard = next;
      next = becomes_exclusive(g[r], g.value_of(l, standard)) ? rmw_after(l, standard) : kNoEvent;
    }
    for (const EventId w : sources_) {
      if (w == standard || breaks_atomicity(r, w)) continue;
      level_->push({.kind = ItemKind::read, .event = r, .other = w, .fails = would_fail(r, w)});
    }
    g.set_rf(r, standard);
    g.set_revisitable(r, true);
    return this->finish_read(r);
  }

  // codom([w]; rf; rmw)
  EventId rmw_after(LocId l, EventId w) {
    const Graph& g = graph();
    for (EventId x = g.readers(l, w); x != kNoEvent; x = g[x].next_reader) {
      if (g[x].exclusive && !g.open(x)) return g.event(g[x].thread, g[x].po + 1);
    }
    return kNoEvent;
  }

  // A1 ∩ A2: r would be exclusive, and so is a reader of w that cannot give way. r is new and reads from kInit.
  bool breaks_atomicity(EventId r, EventId w) {
    const Graph& g = graph();
    if (!becomes_exclusive(g[r], g.value_of(g[r].loc, w))) return false;
    for (EventId x = g.readers(g[r].loc, w); x != kNoEvent; x = g[x].next_reader) {
      if (x != r && g[x].exclusive && (!g[x].revisitable || g.cb(x, r))) return true;
    }
    return false;
  }

  // Whether r would wait if it read from w, and be an error in itself. r is new and reads from kInit.
  bool would_fail(EventId r, EventId w) {
    Graph& g = graph();
    if (satisfied(g[r], g.value_of(g[r].loc, w))) return false;
    g.set_rf(r, w);
    const bool fails = this->wait_fails(r);
    g.set_rf(r, kInit);
    return fails;
  }

  // VISITWRITE (Algorithm 3).
  bool write(EventId w) {
    Graph& g = graph();
    const LocId l = g[w].loc;
    if (g[w].exclusive) {
      const EventId r = g.predecessor(w);
      g.place(w, Model::kCo ? g[r].rf : g.co_last(l));
      return revisit_reads(w, exclusive_reader(l, g[r].rf, r));
    }
    if (Model::kCo && g.co_last(l) != kInit) {
      const uint32_t floor = hb_floor(g, w);
      for (EventId p = g.co_last(l); g.co_position(p) > floor;) {
        p = g[p].co_prev;
        if (exclusive_reader(l, p, kNoEvent) != kNoEvent) continue;
        level_->push({.kind = ItemKind::place, .event = w, .other = p});
      }
    }
    g.place(w, g.co_last(l));
    return revisit_reads(w, kNoEvent);
  }

  // An exclusive reader of w other than r. Of the write that an rmw reads from: K_must.
  EventId exclusive_reader(LocId l, EventId w, EventId r) {
    const Graph& g = graph();
    for (EventId x = g.readers(l, w); x != kNoEvent; x = g[x].next_reader) {
      if (x != r && g[x].exclusive) return x;
    }
    return kNoEvent;
  }

  // REVISITREADS (Algorithm 5), lines 2–6. False: there is a read that must be revisited, so the graph does not go on.
  bool revisit_reads(EventId w, EventId must) {
    const Graph& g = graph();
    const std::size_t begin = level_->optional.size();
    for (EventId r = g.accesses(g[w].loc), next; r != kNoEvent; r = next) {
      const bool known = g.cb(r, w);
      next = known ? g.others_before(r) : g[r].loc_prev;
      if (known || !g[r].revisitable || !model_.coherent(g, r, w)) continue;
      if (must != kNoEvent && (r == must || g.cb(must, r))) continue;
      level_->optional.push_back({r, becomes_exclusive(g[r], g[w].value), false});
    }
    if (level_->optional.size() == begin && must == kNoEvent) return true;
    level_->push({.kind = ItemKind::revisit, .event = w, .other = must, .optional = begin, .empty = must != kNoEvent});
    return must == kNoEvent;
  }

  bool apply(const RcmcItem& item) {
    Graph& g = graph();
    const EventId e = item.event;
    switch (item.kind) {
      case ItemKind::choice:
        g.set_choice(e, item.choice);
        level_->clear_prefix(e);
        return true;
      case ItemKind::read:
        g.set_rf(e, item.other);
        g.set_revisitable(e, false);
        level_->clear_prefix(e);
        if (g[e].blocked && !item.fails && !may_be_latest(e)) return false;
        return possible(e) && check_race(e) && (!g[e].exclusive || complete(e));
      case ItemKind::place:
        g.place(e, item.other);
        level_->clear_prefix(e);
        if (g[e].co_next != kNoEvent) level_->clear_prefix(g[e].co_next);
        return revisit_reads(e, kNoEvent) && possible(e) && check_race(e);
      case ItemKind::revisit: return revisit(item);
      case ItemKind::wait: break;  // a read by now
    }
    __builtin_unreachable();
  }

  // Of a read that waits and is not revisitable: whether it may be part of a deadlock in the end. Not if a later write
  // stays for ever, nor if it is stopped on purpose. What the other threads do meanwhile, they also do where the read
  // is revisitable (Remark 2).
  bool may_be_latest(EventId r) {
    const Graph& g = graph();
    if (g[r].assumed) return false;
    level_->find_first_revisitable();
    model_.start(g);
    for (EventId w = g.accesses(g[r].loc); w != kNoEvent; w = g[w].loc_prev) {
      if (g[w].is_write() && model_.co(g, g[r].rf, w) && level_->stays(w)) return false;
    }
    return true;
  }

  // REVISITREADS, lines 8–11. The graph ends with the write.
  bool revisit(const RcmcItem& item) {
    const Graph& from = graph();
    const EventId w = item.event;
    HEDDLE_ASSERT(index(w) + 1 == from.size() && from[w].is_write());
    auto& reads = reads_;
    reads.clear();
    for (std::size_t n = item.optional; n < level_->optional.size(); ++n) {
      if (level_->optional[n].chosen) reads.push_back(level_->optional[n].read);
    }
    const std::size_t chosen = reads.size();
    const auto removed = [&](EventId e, std::size_t by) {
      return std::any_of(reads.begin(), reads.begin() + static_cast<std::ptrdiff_t>(by),
                         [&](EventId r) { return from.cb(r, e); });
    };
    if (item.other != kNoEvent && !removed(item.other, chosen)) reads.push_back(item.other);
    kept_.resize(from.size());
    for (std::size_t i = 0; i < kept_.size(); ++i) kept_[i] = !removed(EventId(i), reads.size());
    HEDDLE_ASSERT(kept_[index(w)] != 0 && std::ranges::all_of(reads, [&](EventId r) { return kept_[index(r)] != 0; }));
    this->update_history(this->action_of(w));
    const bool was_acyclic = level_->cyclic == RcmcLevel::kAcyclic;  // without the write

    this->push_level();
    Graph& g = graph();
    g.keep(from, kept_, reads, w);
    level_->write = g.renamed(w);
    for (const EventId r : reads) level_->revisited.push_back(g.renamed(r));
    for (std::size_t n = 0; n < chosen; ++n) {
      level_->clear(level_->revisited[n]);
      level_->clear_prefix(level_->revisited[n]);
    }
    return settle(was_acyclic);
  }

  // What the revisit still owes, before the machine follows, which costs most.
  bool settle(bool was_acyclic) {
    EventId pending = kNoEvent;
    if (!sc_.stays_acyclic(*level_, was_acyclic)) {
      level_->cyclic = 0;
      if (needs_plain_events() || sc_.hopeless(*level_)) return false;
    }
    if (!check_race(level_->write)) return false;
    for (const EventId r : level_->revisited) {
      if (!check_race(r)) return false;
      if (graph()[r].exclusive && (pending == kNoEvent || !graph()[r].revisitable)) pending = r;
    }
    return pending == kNoEvent || complete(pending);
  }

  // SC-ACYCLICITY.

  bool possible(EventId changed) {
    if (sc_.becomes_cyclic(*level_, changed) && needs_plain_events()) return false;
    return !sc_.hopeless(*level_, changed);
  }

  // In an execution that breaks the SC axiom, plain accesses may race although they never do in fact, and then what
  // they read depends on the schedule. If they are actions there is no such problem.
  bool needs_plain_events() {
    if (machine_.assumed().plain) tally_.broke({Assumption::plain});
    return machine_.assumed().plain;
  }

  bool consistent() { return sc_.consistent(*level_); }
  bool is_execution() { return level_->cyclic == RcmcLevel::kAcyclic; }

  // True if the error is none because of psc. Else only what leads to it is shown if the rest breaks psc.
  bool fail(const GraphError& error) {
    if (request_.rcmc.psc && level_->cyclic == RcmcLevel::kAcyclic) {
      this->found(graph(), error);
      return false;
    }
    if (!sc_.feasible(graph(), error.event, error.other)) return true;
    GraphError shown = error;
    shown.event = scratch_.renamed(error.event);
    if (error.other != kNoEvent) shown.other = scratch_.renamed(error.other);
    this->found(scratch_, shown);
    return false;
  }

  // Only the machine knows which threads have a part in an error, a race for example. So the error counts if the whole
  // graph is consistent. Else the thread stands still: if the error is real, it is met again where psc has no cycle. If
  // another thread has a part in it, the thread may go on in fact, which native code cannot do here.
  bool fail(const Error& error) {
    if (consistent()) {
      this->found(graph(), error);
      return false;
    }
    if (error.other_thread == kNoThread) return true;
    throw UserError("rcmc cannot tell whether this is an error: " + error.message +
                    ". It is met in an execution that breaks the SC axiom; use --algorithm spore with --model rc11");
  }

  bool count_once(bool complete) {
    if (!request_.rcmc.count_duplicates || known_.insert(fingerprint(graph(), machine_, Model::kCo)).second)
      return true;
    tally_.result.duplicates += complete;
    return false;
  }

  bool may_leave_out_rest() { return !request_.rcmc.count_duplicates; }

  bool check_end() {
    HEDDLE_ASSERT(!graph().has_twins() && !graph().has_help());
    return true;
  }

  bool counts_only_psc() { return request_.rcmc.psc; }
  bool waits_for_ever(EventId r) { return Model::waits_for_ever(graph(), r); }
  WeakOrder* weak_order() { return Model::kCo ? nullptr : &weak_; }

  Model model_;
  ScAxiom<Model> sc_;
  WeakOrder weak_;
  std::vector<EventId> sources_, reads_;
  FingerprintSet known_;
};

}  // namespace

Result explore_rcmc(Machine& machine, const Request& request) {
  switch (request.model) {
    case ModelKind::rc11: return Rcmc<PreconsistentRc11>(machine, request).run();
    case ModelKind::wrc11: return Rcmc<PreconsistentWrc11>(machine, request).run();
    default: break;
  }
  throw UserError(why_not(request.algorithm, request.model));
}

}  // namespace heddle
