#include "explore/spore.hpp"

#include <algorithm>

#include "explore/spore_level.hpp"
#include "explore/symmetry.hpp"
#include "models/pso.hpp"
#include "models/ra.hpp"
#include "models/rc11.hpp"
#include "models/sc.hpp"
#include "models/tso.hpp"

namespace heddle {
namespace {

template <CoherentModel Model>
class Spore : public Kernel<Spore<Model>, SporeLevel> {
  using Base = Kernel<Spore<Model>, SporeLevel>;
  friend Base;

 public:
  static constexpr ModelKind kModel = Model::kKind;
  static constexpr Sync kSync = Model::kSync;
  static constexpr bool kReplayToError = true;
  static constexpr bool kAlwaysPsc = true;

  using Base::Base;

 private:
  using Base::check_race;
  using Base::complete;
  using Base::graph;
  using Base::level_;
  using Base::machine_;

  // The co-maximal write first: that step is always consistent. An await's read of an unsatisfying value matters only
  // there: elsewhere it is never maximal, so it can be neither revisited nor deleted, and the thread would wait for
  // ever. Only if that read is an error in itself, it must be shown.
  bool read(ThreadId t, const Action& a) {
    Graph& g = graph();
    const LocId l = enter(g, machine_, a);
    const EventId last = g.co_last(l);
    const EventId r = g.add_read(t, a, last);
    if (last == kInit) return this->finish_read(r);
    const uint32_t floor = this->floor(r);
    bool changed = false;
    for (EventId w = last; g.co_position(w) > floor;) {
      w = g[w].co_prev;
      if (!satisfied(a, g.value_of(l, w))) {
        g.set_rf(r, w);
        changed = true;
        if (!this->wait_fails(r)) continue;
      }
      level_->push({.kind = ItemKind::read, .event = r, .other = w});
    }
    if (changed) g.set_rf(r, last);
    return this->finish_read(r);
  }

  // Notes the reads that w may revisit and the other places that it may have in co, and places it. False if it has no
  // place in this graph (its rmw reads what another rmw reads): it may still revisit.
  bool write(EventId w) {
    note_revisits(w);
    Graph& g = graph();
    if (g[w].exclusive) return place(w, g[g.predecessor(w)].rf);
    note_places(w, kNoEvent, true);
    g.place(w, g.co_last(g[w].loc));
    return true;
  }

  // Puts w after p in co if the graph stays consistent.
  bool place(EventId w, EventId p) {
    Graph& g = graph();
    if (exclusive_after(g[w].loc, p) != kNoEvent) return false;
    const bool maximal = p == g.co_last(g[w].loc);
    g.place(w, p);
    return maximal || (model_.admits(g, w) && check_co(w));
  }

  // The write of the rmw that reads from p, if any: nothing may come between the two.
  EventId exclusive_after(LocId l, EventId p) {
    const EventId next = graph().co_next(l, p);
    return next != kNoEvent && graph()[next].exclusive ? next : kNoEvent;
  }

  void note_places(EventId w, EventId revisited, bool without_last) {
    Graph& g = graph();
    const LocId l = g[w].loc;
    EventId p = g.co_last(l);
    if (!without_last) level_->push({.kind = ItemKind::place, .event = w, .other = p, .revisited = revisited});
    if (p == kInit) return;
    const uint32_t floor = this->floor(w);
    while (g.co_position(p) > floor) {
      p = g[p].co_prev;
      if (exclusive_after(l, p) != kNoEvent) continue;
      level_->push({.kind = ItemKind::place, .event = w, .other = p, .revisited = revisited});
    }
  }

  // Goes back through the events in the order of addition, as long as they were added maximally; the first that was not
  // forbids the revisits of all reads before it. If w's rmw reads what another one reads, the revisit must delete that
  // one.
  void note_revisits(EventId w) {
    const Graph& g = graph();
    const LocId l = g[w].loc;
    const Prefix prefix = g.cb(w);
    const EventId rival = g[w].exclusive ? exclusive_after(l, g[g.predecessor(w)].rf) : kNoEvent;
    if (rival != kNoEvent && g.in(prefix, rival)) return;
    auto checked = index(w);
    for (EventId r = g.accesses(l), next; r != kNoEvent; r = next) {
      const bool known = g.in(prefix, r);
      next = known ? g.others_before(r) : g[r].loc_prev;
      if (known || !g[r].is_read()) continue;
      while (checked > index(r)) {
        const auto e = EventId(--checked);
        if (!g.in(prefix, e) && !added_maximally(g, e, prefix)) return;
      }
      if (rival == kNoEvent || r < rival) level_->push({.kind = ItemKind::revisit, .event = w, .other = r});
    }
  }

  // Def. 2.1: co-maximal among the events that were added before e or are in the prefix.
  static bool added_maximally(const Graph& g, EventId e, Prefix prefix) {
    const Event& event = g[e];
    const auto counts = [&](EventId x) { return x < e || g.in(prefix, x); };
    EventId later;
    if (event.is_read()) {
      if (event.rf != kInit && !counts(event.rf)) return false;
      later = g.co_next(event.loc, event.rf);
    } else if (event.is_write()) {
      if (event.revisited) return false;
      later = event.co_next;
    } else {
      return event.kind != EventKind::choice || event.value.lo == 0;
    }
    for (; later != kNoEvent; later = g[later].co_next) {
      if (counts(later)) return false;
    }
    return true;
  }

  // consistent_SYM: the model's floor, and symb;eco is irreflexive.
  uint32_t floor(EventId e) {
    const Graph& g = graph();
    const uint32_t floor = model_.floor(g, e);
    return g[e].symb == kNoEvent ? floor : std::max(floor, g.symb_floor(e));
  }

  // Twins choose in falling order, so that the maximal step, 0, is always possible.
  uint32_t choices(EventId e, uint32_t bound) {
    const EventId twin = graph()[e].symb;
    return twin == kNoEvent ? bound : std::min(bound, static_cast<uint32_t>(graph()[twin].value.lo) + 1);
  }

  // Makes a choice. What it still owes comes before the machine follows, which costs most: checks, and the second half
  // of an rmw, which may not fit in.
  bool apply(const SporeItem& item) {
    Graph& g = graph();
    switch (item.kind) {
      case ItemKind::choice: g.set_choice(item.event, item.choice); return true;
      case ItemKind::read: g.set_rf(item.event, item.other); return model_.admits(g, item.event) && settle(item.event);
      case ItemKind::place:
        g.place(item.event, item.other);
        if (!model_.admits(g, item.event)) return false;
        if (item.revisited == kNoEvent) return check_co(item.event) && check_race(item.event);
        level_->has_history = false;
        level_->revisited.assign(1, item.revisited);
        return readable(item.revisited) && check_co(item.event) && check_race(item.event) && settle(item.revisited);
      case ItemKind::revisit: revisit(item.event, item.other); return false;
    }
    __builtin_unreachable();
  }

  // A read has got another write to read from.
  bool settle(EventId r) { return check_race(r) && (!graph().open(r) || complete(r)); }

  // Whether the revisited read may read from its write at the place that the write has now.
  bool readable(EventId r) {
    const Graph& g = graph();
    return floor(r) <= g.co_position(g[r].rf) && model_.admits(g, r);
  }

  // The places that the write may have are the new level's choices.
  void revisit(EventId w, EventId r) {
    const Graph& from = graph();
    this->update_history(this->action_of(w));
    this->push_level();
    Graph& g = graph();
    const auto kept = g.restrict(from, r, w);
    g.set_rf(kept.read, kept.write);
    g.set_revisited(kept.write);
    if (g[kept.write].exclusive) {
      const EventId source = g[g.predecessor(kept.write)].rf;
      level_->push({.kind = ItemKind::place, .event = kept.write, .other = source, .revisited = kept.read});
    } else {
      note_places(kept.write, kept.read, false);
    }
  }

  bool waits_for_ever(EventId r) { return reads_latest(graph(), r); }

  template <class AnyError>
  bool fail(const AnyError& error) {
    this->found(graph(), error);
    return false;
  }

  // Symmetry and helping: what they rest on.

  bool before_step(ThreadId t) {
    return !graph().has_twins() || machine_.pending(t).kind == ActionKind::join || check_joins(t);
  }

  bool check_end() {
    if (!graph().has_help()) return true;
    const auto error = find_wrong_help(graph(), kModel != ModelKind::ra);
    return !error || fail(*error);
  }

  void after_execution() {
    if (!graph().has_twins() || all_exited(graph())) return;
    const ThreadId t = find_held_up(graph(), machine_, known_joins_);
    if (t == kNoThread) return;
    joined_apart(graph().last(t) != kNoEvent ? graph().last(t) : graph().creation(t));
  }

  // Strong models have no such cycles.
  bool check_co(EventId w) {
    if (Model::kCoAcyclic || !graph().has_twins()) return true;
    const std::vector<EventId> cycle = find_co_cycle(graph(), w);
    return cycle.empty() ||
           fail(GraphError{ErrorKind::symmetry, "symmetry reduction is not applicable here", w, cycle[1], cycle});
  }

  bool check_joins(ThreadId t) {
    const EventId last = graph().last(t);
    if (last == kNoEvent || graph()[last].kind != EventKind::join) return true;
    const ThreadId apart = find_joined_apart(graph(), t);
    return apart == kNoThread || joined_apart(last);
  }

  bool joined_apart(EventId last) {
    return fail(GraphError{ErrorKind::symmetry,
                           "threads that can be exchanged are told apart by joins; use --no-symmetry", last});
  }

  Model model_;
  KnownJoins known_joins_;
};

}  // namespace

Result explore_spore(Machine& machine, const Request& request) {
  switch (request.model) {
    case ModelKind::sc: return Spore<Sc>(machine, request).run();
    case ModelKind::tso: return Spore<Tso>(machine, request).run();
    case ModelKind::pso: return Spore<Pso>(machine, request).run();
    case ModelKind::ra: return Spore<Ra>(machine, request).run();
    case ModelKind::rc11: return Spore<Rc11>(machine, request).run();
    case ModelKind::wrc11: break;
  }
  throw UserError(why_not(request.algorithm, request.model));
}

}  // namespace heddle
