#include "explore/rcmc.hpp"

#include <algorithm>
#include <memory>

#include "core/error.hpp"
#include "explore/fingerprint.hpp"
#include "explore/hazards.hpp"
#include "explore/progress.hpp"
#include "explore/rcmc_level.hpp"
#include "explore/rcmc_models.hpp"
#include "explore/replay.hpp"
#include "explore/tally.hpp"
#include "explore/verdict.hpp"

namespace heddle {
namespace {

using namespace rcmc;

template <class Model>
class Rcmc {
 public:
  Rcmc(Machine& machine, const ExploreOptions& options, Observer* observer)
      : machine_(machine), options_(options), observer_(observer), tally_(options), scratch_(locations_) {}

  Result run() {
    return tally_.run([&] {
      push_level();
      level_->has_history = true;
      machine_.restart();
      if (check_thread(kMain)) extend();
      while (!tally_.stop && backtrack()) {
      }
    });
  }

 private:
  Graph& graph() { return level_->graph; }

  void push_level() {
    if (depth_ == levels_.size()) levels_.push_back(std::make_unique<Level>(locations_));
    level_ = levels_[depth_++].get();
    level_->reset();
  }

  // The level is done: it has no items.
  void pop_level() {
    --depth_;
    level_ = depth_ > 0 ? levels_[depth_ - 1].get() : nullptr;
  }

  // Forwards: VISIT (Algorithm 1). next_P, where no exclusive read is pending, is the smallest thread that can go on.

  void extend() {
    for (cursor_ = 0;;) {
      const ThreadId t = leftmost(graph(), machine_, cursor_);
      if (t == kNoThread) return finish();
      tally_.check_time();
      if (!step(t) || tally_.stop) return;
    }
  }

  // Adds the next event of t. False: the execution ends here, counted or not.
  bool step(ThreadId t) {
    const Action& a = machine_.pending(t);
    switch (a.kind) {
      case ActionKind::load:
      case ActionKind::rmw:
      case ActionKind::cas: return read(t, a);
      case ActionKind::store: {
        enter(graph(), machine_, a);
        const EventId w = graph().add_store(t, a);
        return write(w) && !hopeless(w) && check_race(w) && perform(t, {});
      }
      default: return other(t, a);
    }
  }

  bool other(ThreadId t, const Action& a) {
    const EventId e = graph().add_other(t, a, {});
    if (a.kind == ActionKind::choose) {
      for (uint32_t n = a.bound; n-- > 1;) level_->push({.kind = Item::kChoice, .event = e, .choice = n});
    }
    if (a.kind == ActionKind::free) {
      if (const auto error = find_use_during_free(graph(), e); error && !fail(*error)) return false;
    }
    if (a.kind == ActionKind::create || a.kind == ActionKind::exit) cursor_ = 0;
    const ThreadId child = a.kind == ActionKind::create ? a.child : t;
    return perform(t, {}) && check_thread(child);
  }

  // VISITREAD (Algorithm 2). Of the writes in the sbrf-prefix, the latest that the thread knows of is the default.
  bool read(ThreadId t, const Action& a) {
    Graph& g = graph();
    const LocId l = enter(graph(), machine_, a);
    const EventId r = g.add_read(t, a, kInit);
    sources_.clear();
    EventId standard = model_.sources(g, r, sources_);
    for (EventId next = standard; next != kNoEvent;) {
      standard = next;
      next = becomes_exclusive(g[r], g.value_of(l, standard)) ? rmw_after(l, standard) : kNoEvent;
    }
    for (const EventId w : sources_) {
      if (w == standard || breaks_atomicity(r, w)) continue;
      level_->push({.kind = Item::kRead, .event = r, .other = w, .fails = wait_fails(r, a, w)});
    }
    g.set_rf(r, standard);
    g.set_revisitable(r, true);
    return finish_read(r);
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

  bool finish_read(EventId r) {
    const ThreadId t = graph()[r].thread;
    const Value value = graph()[r].value;
    if (hopeless(r) || !check_race(r)) return false;
    if (graph()[r].blocked) return check_wait(r);
    if (!graph()[r].exclusive) return perform(t, value);
    return complete(r) && perform(t, value);
  }

  // A read that waits is not performed, unless that shows an error.
  bool check_wait(EventId r) {
    const ThreadId t = graph()[r].thread;
    return !machine_.fails(t, graph().hb(r)) || perform(t, graph()[r].value);
  }

  // Whether r would wait if it read from w, and be an error in itself. r is new and reads from kInit.
  bool wait_fails(EventId r, const Action& a, EventId w) {
    Graph& g = graph();
    if (satisfied(a, g.value_of(g[r].loc, w))) return false;
    g.set_rf(r, w);
    const bool fails = (!options_.races_ignore && find_race(g, r)) || machine_.fails(g[r].thread, g.hb(r));
    g.set_rf(r, kInit);
    return fails;
  }

  // Adds the write of a pending read. False: the graph does not go on as it is.
  bool complete(EventId r) {
    const EventId w = graph().add_exclusive_write(r);
    return write(w) && !hopeless(w) && check_race(w);
  }

  // The action of t whose events are the last ones of t in the graph.
  bool perform(ThreadId t, Value result) {
    machine_.perform(t, result, graph().hb(graph().last(t)));
    ++tally_.result.events;
    return check_thread(t);
  }

  // VISITWRITE (Algorithm 3).
  bool write(EventId w) {
    Graph& g = graph();
    const LocId l = g[w].loc;
    if (g[w].exclusive) {
      const EventId r = g.predecessor(w);
      g.place(w, Model::kCo ? g[r].rf : g.co_last(l));
      return revisit_reads(w, rival(r));
    }
    if (Model::kCo && g.co_last(l) != kInit) {
      const uint32_t floor = hb_floor(g, w);
      for (EventId p = g.co_last(l); g.co_position(p) > floor;) {
        p = g[p].co_prev;
        if (!is_read_exclusively(l, p)) level_->push({.kind = Item::kPlace, .event = w, .other = p});
      }
    }
    g.place(w, g.co_last(l));
    return revisit_reads(w, kNoEvent);
  }

  // K_must: the other exclusive read of the write that r reads from.
  EventId rival(EventId r) {
    const Graph& g = graph();
    for (EventId x = g.readers(g[r].loc, g[r].rf); x != kNoEvent; x = g[x].next_reader) {
      if (x != r && g[x].exclusive) return x;
    }
    return kNoEvent;
  }

  bool is_read_exclusively(LocId l, EventId w) {
    for (EventId x = graph().readers(l, w); x != kNoEvent; x = graph()[x].next_reader) {
      if (graph()[x].exclusive) return true;
    }
    return false;
  }

  // REVISITREADS (Algorithm 5), lines 2–6. False: there is a read that must be revisited, so the graph does not go on.
  bool revisit_reads(EventId w, EventId must) {
    const Graph& g = graph();
    const std::size_t begin = level_->optional.size();
    for (EventId r = g.accesses(g[w].loc); r != kNoEvent; r = g[r].loc_prev) {
      if (!g[r].revisitable || g.cb(r, w) || !model_.coherent(g, r, w)) continue;
      if (must != kNoEvent && (r == must || g.cb(must, r))) continue;
      level_->optional.push_back({r, becomes_exclusive(g[r], g[w].value), false});
    }
    if (level_->optional.size() == begin && must == kNoEvent) return true;
    level_->push({.kind = Item::kRevisit, .event = w, .other = must, .optional = begin, .empty = must != kNoEvent});
    return must == kNoEvent;
  }

  // Ends.

  void finish() {
    Graph& g = graph();
    tally_.check_time();
    if (level_->cyclic != Level::kAcyclic) return;
    const bool complete = all_exited(g) || ended_process(g, machine_, Model::kWaitsForEver);
    if (!complete) {
      tally_.note_limits(machine_);
      if (const auto error = find_deadlock(g, machine_, Model::kWaitsForEver); error && consistent()) {
        return found(*error);
      }
    }
    WeakOrder* const weak = Model::kCo ? nullptr : &weak_;
    if (const auto error = find_late_protect(g, machine_, weak); error && consistent()) return found(*error);
    count(complete);
  }

  void count(bool complete) {
    if (options_.count_duplicates && !known_.insert(fingerprint(graph(), Model::kCo)).second) {
      tally_.result.duplicates += complete;
      return;
    }
    ++(complete ? tally_.result.executions : tally_.result.blocked);
    if (observer_) observer_->execution(graph(), machine_, complete);
    if (tally_.out_of_executions() && !nothing_left()) tally_.limit(Limit::executions);
  }

  bool nothing_left() const {
    for (std::size_t d = 0; d < depth_; ++d) {
      if (std::ranges::any_of(levels_[d]->items, [&](const Item& i) { return levels_[d]->has_more(i); })) return false;
    }
    return true;
  }

  // Who has a part in a thread's error, a race for example, only the machine knows, so it counts if the whole graph is
  // consistent. Else the thread stands still: if the error is real, it is met again where psc has no cycle.
  bool check_thread(ThreadId t) {
    if (machine_.pending(t).kind != ActionKind::error) return true;
    if (!consistent()) return stands_still(t);
    found(machine_.error(t));
    return false;
  }

  // If another thread has a part in the error, the thread may go on in fact, which native code cannot do here.
  bool stands_still(ThreadId t) {
    const Error error = machine_.error(t);
    if (error.other_thread == kNoThread) return true;
    throw UserError("rcmc cannot tell whether this is an error: " + error.message +
                    ". It is met in an execution that breaks the SC axiom; use --algorithm spore with --model rc11");
  }

  bool check_race(EventId e) {
    if (options_.races_ignore) return true;
    if (const auto error = find_race(graph(), e); error && !fail(*error)) return false;
    return true;
  }

  // True if the error is none because of psc. Else only what leads to it is shown if the rest breaks psc.
  bool fail(const GraphError& error) {
    if (options_.psc && level_->cyclic == Level::kAcyclic) {
      found(error);
      return false;
    }
    if (!feasible(error.event, error.other)) return true;
    GraphError shown = error;
    shown.event = scratch_.renamed(error.event);
    if (error.other != kNoEvent) shown.other = scratch_.renamed(error.other);
    tally_.found(make_finding(scratch_, machine_, shown));
    return false;
  }

  template <class AnyError>
  void found(const AnyError& error) {
    tally_.found(make_finding(graph(), machine_, error));
  }

  // SC-ACYCLICITY. Without options_.psc, no cycle is looked for until there is an error.

  bool consistent() { return options_.psc ? level_->cyclic == Level::kAcyclic : model_.psc.acyclic(graph()); }

  // Stops if plain accesses are native: from here on their races may be none.
  bool needs_plain_events() {
    if (!options_.plain_events) tally_.result.needs_plain_events = tally_.stop = true;
    return !options_.plain_events;
  }

  // Whether the sbrf-prefixes of these events are a consistent execution.
  bool feasible(EventId a, EventId b) {
    const Graph& g = graph();
    return restricted_acyclic(
        [&](EventId e) { return e == a || g.cb(e, a) || (b != kNoEvent && (e == b || g.cb(e, b))); });
  }

  // Looks for cycles of psc after an access has come or changed. True if there is one that no revisit can remove: one
  // of events that have no revisitable read in their prefix. There was none before, so the access is on it.
  bool hopeless(EventId changed) {
    const Graph& g = graph();
    if (!options_.psc) return g.sc_accesses() + g.sc_fences() > 1 && needs_plain_events();
    if (level_->cyclic == Level::kAcyclic) {
      if (model_.is_maximal(g, changed) || model_.psc.acyclic(g, changed)) return false;
      level_->cyclic = index(changed);
      if (needs_plain_events()) return true;
    }
    const auto stays = [&](EventId e) { return level_->stays(e); };
    level_->find_first_revisitable();
    if (!stays(changed)) return false;
    return g.sc_fences() == 0 ? !model_.psc.acyclic(g, changed, stays) : !restricted_acyclic(stays);
  }

  template <class Keep>
  bool restricted_acyclic(const Keep& keep) {
    kept_.resize(graph().size());
    for (std::size_t i = 0; i < kept_.size(); ++i) kept_[i] = keep(EventId(i));
    scratch_.keep(graph(), kept_);
    return model_.psc.acyclic(scratch_);
  }

  // Backwards.

  // Makes the next choice and explores from there. False when none is left.
  bool backtrack() {
    while (depth_ > 0 && level_->items.empty()) pop_level();
    if (depth_ == 0) return false;
    Item& item = level_->items.back();
    level_->back_to(item);
    if (item.kind == Item::kRevisit) {
      if (level_->next_subset(item)) {
        revisit(item);
      } else {
        level_->optional.resize(item.optional);
        level_->items.pop_back();
      }
      return true;
    }
    const Item last = item;
    level_->items.pop_back();
    const std::size_t reads = last.kind == Item::kRead ? 1 : 0;
    if (apply(last) && follow(last.event, {&last.event, reads}) &&
        !(last.kind == Item::kRead && stops_at(graph(), machine_, last.event))) {
      extend();
    }
    return true;
  }

  bool apply(const Item& item) {
    Graph& g = graph();
    const EventId e = item.event;
    switch (item.kind) {
      case Item::kChoice:
        g.set_choice(e, item.choice);
        level_->clear_prefix(e);
        return true;
      case Item::kRead:
        g.set_rf(e, item.other);
        g.set_revisitable(e, false);
        level_->clear_prefix(e);
        if (g[e].blocked && !item.fails && !may_be_latest(e)) return false;
        return !hopeless(e) && check_race(e) && (!g[e].exclusive || complete(e));
      case Item::kPlace:
        g.place(e, item.other);
        level_->clear_prefix(e);
        level_->clear_prefix(g[e].co_next);
        return revisit_reads(e, kNoEvent) && !hopeless(e) && check_race(e);
      case Item::kRevisit: break;
    }
    __builtin_unreachable();
  }

  // Of a read that waits and is not revisitable: whether it may be part of a deadlock in the end. Not if a later write
  // stays for ever. What the other threads do meanwhile, they also do where the read is revisitable (Remark 2).
  bool may_be_latest(EventId r) {
    const Graph& g = graph();
    level_->find_first_revisitable();
    model_.start(g);
    for (EventId w = g.accesses(g[r].loc); w != kNoEvent; w = g[w].loc_prev) {
      if (g[w].is_write() && model_.co(g, g[r].rf, w) && level_->stays(w)) return false;
    }
    return true;
  }

  // Lines 8–11. The graph ends with the write.
  void revisit(const Item& item) {
    const Graph& from = graph();
    const EventId w = item.event;
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
    update_history(changed_by(w));
    const bool was_acyclic = level_->cyclic == Level::kAcyclic;  // without the write

    push_level();
    Graph& g = graph();
    g.keep(from, kept_, reads, w);
    level_->write = g.renamed(w);
    level_->revisited.clear();
    for (const EventId r : reads) level_->revisited.push_back(g.renamed(r));
    for (std::size_t n = 0; n < chosen; ++n) {
      level_->clear(level_->revisited[n]);
      level_->clear_prefix(level_->revisited[n]);
    }
    if (settle(was_acyclic) && follow(level_->write, level_->revisited)) extend();
  }

  // What the revisit still owes, before the machine follows, which costs most.
  bool settle(bool was_acyclic) {
    EventId pending = kNoEvent;
    if (options_.psc && !stays_acyclic(was_acyclic)) {
      level_->cyclic = 0;
      if (needs_plain_events()) return false;
      level_->find_first_revisitable();
      if (!restricted_acyclic([&](EventId e) { return level_->stays(e); })) return false;
    }
    if (!check_race(level_->write)) return false;
    for (const EventId r : level_->revisited) {
      if (!check_race(r)) return false;
      if (graph()[r].exclusive && (pending == kNoEvent || !graph()[r].revisitable)) pending = r;
    }
    return pending == kNoEvent || complete(pending);
  }

  // Whether psc is acyclic after a revisit. Nothing else follows the write and the revisited reads in sbrf, so they
  // bring only edges of their own to the psc of what was kept, which was part of the psc before.
  bool stays_acyclic(bool was_acyclic) {
    const Graph& g = graph();
    if (!was_acyclic) return model_.psc.acyclic(g);
    const auto on_no_cycle = [&](EventId e) { return model_.is_maximal(g, e) || model_.psc.acyclic(g, e); };
    return on_no_cycle(level_->write) && std::ranges::all_of(level_->revisited, on_no_cycle);
  }

  // The first event of the write's action that the history may know in another form.
  EventId changed_by(EventId w) {
    const EventId r = graph()[w].exclusive ? graph().predecessor(w) : w;
    return index(r) + 1 == index(w) ? r : w;
  }

  void update_history(EventId changed) {
    History& history = level_->history;
    if (level_->has_history) return history.update(graph(), changed);
    history.restrict(levels_[depth_ - 2]->history, graph(), level_->revisited);
    level_->has_history = true;
  }

  // Brings the machine to the graph. These reads are new or changed. False: there is an error.
  bool follow(EventId changed, std::span<const EventId> reads) {
    update_history(changed);
    tally_.result.events += level_->history.size();
    level_->history.replay(graph(), machine_, false);
    for (const ThreadId t : machine_.threads()) {
      if (!check_thread(t)) return false;
    }
    for (const EventId r : reads) {
      if (graph()[r].blocked && !check_wait(r)) return false;
    }
    return true;
  }

  Machine& machine_;
  const ExploreOptions options_;
  Observer* observer_;
  Tally tally_;
  Model model_;
  Locations locations_;
  Graph scratch_;
  std::vector<std::unique_ptr<Level>> levels_;
  std::size_t depth_ = 0;
  Level* level_ = nullptr;  // the topmost
  std::size_t cursor_ = 0;
  WeakOrder weak_;
  std::vector<EventId> sources_, reads_;
  std::vector<uint8_t> kept_;
  FingerprintSet known_;
};

}  // namespace

Result explore_rcmc(Machine& machine, ModelKind model, const ExploreOptions& options, Observer* observer) {
  switch (model) {
    case ModelKind::rc11: return Rcmc<Preconsistent>(machine, options, observer).run();
    case ModelKind::wrc11: return Rcmc<WeaklyPreconsistent>(machine, options, observer).run();
    default: break;
  }
  throw UserError("rcmc cannot explore " + std::string(name(model)) + ": it is made for rc11 and wrc11");
}

}  // namespace heddle
