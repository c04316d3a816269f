#include "explore/spore.hpp"

#include <algorithm>
#include <memory>

#include "core/error.hpp"
#include "explore/hazards.hpp"
#include "explore/helping.hpp"
#include "explore/progress.hpp"
#include "explore/replay.hpp"
#include "explore/symmetry.hpp"
#include "explore/tally.hpp"
#include "explore/verdict.hpp"
#include "models/pso.hpp"
#include "models/ra.hpp"
#include "models/rc11.hpp"
#include "models/sc.hpp"
#include "models/tso.hpp"

namespace heddle {
namespace {

// A choice not yet explored: made at `event`, which is the last event that the choice keeps.
struct Item {
  enum Kind : uint8_t { kRead, kPlace, kRevisit, kChoice } kind;
  EventId event;
  EventId other;      // kRead: the write; kPlace: the write to follow in co; kRevisit: the read
  EventId revisited;  // kPlace: the read that reads from `event` by a revisit, else kNoEvent
  uint32_t choice;    // kChoice
};

// A graph and the choices that are left in it. A revisit opens a new level; the levels below wait.
struct Level {
  Level(Locations& locations, Graph::Sync sync) : graph(locations, sync) {}
  Graph graph;
  History history;
  std::vector<Item> items;
};

template <class Model>
class Spore {
 public:
  Spore(Machine& machine, const ExploreOptions& options, Observer* observer)
      : machine_(machine), options_(options), observer_(observer), tally_(options) {}

  Result run() {
    return tally_.run([&] {
      push_level();
      machine_.restart();
      if (check_thread(kMain)) extend();
      while (!tally_.stop && backtrack()) resume();
    });
  }

 private:
  Graph& graph() { return level_->graph; }
  std::vector<Item>& items() { return level_->items; }

  void push_level() {
    if (depth_ == levels_.size()) levels_.push_back(std::make_unique<Level>(locations_, Model::kSync));
    level_ = levels_[depth_++].get();
  }

  // The level is done: it has no items.
  void pop_level() {
    --depth_;
    level_ = depth_ > 0 ? levels_[depth_ - 1].get() : nullptr;
  }

  // Forwards.

  void extend() {
    for (cursor_ = 0;;) {
      const ThreadId t = leftmost(graph(), machine_, cursor_);
      if (t == kNoThread) return finish();
      if (!step(t)) return;
    }
  }

  // Adds the next event of t. False: the execution ends here, counted or not.
  bool step(ThreadId t) {
    const Action& a = machine_.pending(t);
    if (graph().has_twins() && a.kind != ActionKind::join && !check_joins(t)) return false;
    switch (a.kind) {
      case ActionKind::load:
      case ActionKind::rmw:
      case ActionKind::cas: return read(t, a);
      case ActionKind::store: {
        const LocId l = enter(graph(), machine_, a);
        const EventId w = graph().add_store(t, a);
        return write(w, l) && check_race(w) && perform(t, {});
      }
      default: return other(t, a);
    }
  }

  bool other(ThreadId t, const Action& a) {
    const EventId e = graph().add_other(t, a, {});
    if (a.kind == ActionKind::choose) {
      for (uint32_t n = choices(e, a.bound); n-- > 1;) items().push_back({Item::kChoice, e, kNoEvent, kNoEvent, n});
    }
    if (a.kind == ActionKind::free) {
      if (const auto error = find_use_during_free(graph(), e)) return fail(*error);
    }
    if (a.kind == ActionKind::help) {
      if (const auto error = find_help_race(graph(), e); error && !options_.races_ignore) return fail(*error);
    }
    if (a.kind == ActionKind::create || a.kind == ActionKind::exit) cursor_ = 0;
    const ThreadId child = a.kind == ActionKind::create ? a.child : t;
    return perform(t, {}) && check_thread(child);
  }

  // Twins choose in falling order, so that the maximal step, 0, is always possible.
  uint32_t choices(EventId e, uint32_t bound) {
    const EventId twin = graph()[e].symb;
    return twin == kNoEvent ? bound : std::min(bound, static_cast<uint32_t>(graph()[twin].value.lo) + 1);
  }

  // consistent_SYM: the model's floor, and symb;eco is irreflexive.
  uint32_t floor(EventId e) {
    const Graph& g = graph();
    const uint32_t floor = model_.floor(g, e);
    return g[e].symb == kNoEvent ? floor : std::max(floor, g.symb_floor(e));
  }

  // The co-maximal write first: that step is always consistent. An await's read of an unsatisfying value matters only
  // there: elsewhere it is never maximal, so it can be neither revisited nor deleted, and the thread would wait for
  // ever. Only if that read is an error in itself, it must be shown.
  bool read(ThreadId t, const Action& a) {
    Graph& g = graph();
    const LocId l = enter(graph(), machine_, a);
    const EventId last = g.co_last(l);
    const EventId r = g.add_read(t, a, last);
    if (last == kInit) return finish_read(r);
    const uint32_t floor = this->floor(r);
    bool changed = false;
    for (EventId w = last; g.co_position(w) > floor;) {
      w = g[w].co_prev;
      if (!satisfied(a, g.value_of(l, w))) {
        g.set_rf(r, w);
        changed = true;
        if (!wait_fails(r)) continue;
      }
      items().push_back({Item::kRead, r, w, kNoEvent, 0});
    }
    if (changed) g.set_rf(r, last);
    return finish_read(r);
  }

  bool wait_fails(EventId r) {
    const Graph& g = graph();
    return (!options_.races_ignore && find_race(g, r)) || machine_.fails(g[r].thread, g.hb(r));
  }

  bool finish_read(EventId r) {
    const ThreadId t = graph()[r].thread;
    const Value value = graph()[r].value;
    if (!check_race(r)) return false;
    if (graph()[r].blocked) return check_wait(r);
    if (!graph()[r].exclusive) return perform(t, value);
    return complete(r) && perform(t, value);
  }

  // A read that waits is not performed, unless that shows an error.
  bool check_wait(EventId r) {
    const ThreadId t = graph()[r].thread;
    return !machine_.fails(t, graph().hb(r)) || perform(t, graph()[r].value);
  }

  // Adds the write of an open read. False: the graph is not consistent with it, or has a race.
  bool complete(EventId r) {
    const EventId w = graph().add_exclusive_write(r);
    return write(w, graph()[r].loc) && check_race(w);
  }

  // The action of t whose events are the last ones of t in the graph.
  bool perform(ThreadId t, Value result) {
    const Action& next = machine_.perform(t, result, graph().hb(graph().last(t)));
    ++tally_.result.events;
    return next.kind != ActionKind::error || fail(machine_.error(t));
  }

  // A new write: notes the reads that it may revisit and the other places it may have in co, and places it. False if it
  // has no place in this graph (its rmw reads what another rmw reads): it may still revisit.
  bool write(EventId w, LocId l) {
    note_revisits(w, l);
    Graph& g = graph();
    if (g[w].exclusive) return place(w, g[g.predecessor(w)].rf);
    note_places(w, l, kNoEvent, true);
    g.place(w, g.co_last(l));
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

  void note_places(EventId w, LocId l, EventId revisited, bool without_last) {
    Graph& g = graph();
    EventId p = g.co_last(l);
    if (!without_last) items().push_back({Item::kPlace, w, p, revisited, 0});
    if (p == kInit) return;
    const uint32_t floor = this->floor(w);
    while (g.co_position(p) > floor) {
      p = g[p].co_prev;
      if (exclusive_after(l, p) == kNoEvent) items().push_back({Item::kPlace, w, p, revisited, 0});
    }
  }

  // Goes back through the events in the order of addition, as long as they were added maximally; the first that was not
  // forbids the revisits of all reads before it. If w's rmw reads what another one reads, the revisit must delete that
  // one.
  void note_revisits(EventId w, LocId l) {
    const Graph& g = graph();
    const auto prefix = g.cb(w);
    const auto kept = [&](EventId e) { return g[e].po <= prefix[index(g[e].thread)]; };
    const EventId rival = g[w].exclusive ? exclusive_after(l, g[g.predecessor(w)].rf) : kNoEvent;
    if (rival != kNoEvent && kept(rival)) return;
    auto checked = index(w);
    for (EventId r = g.accesses(l); r != kNoEvent; r = g[r].loc_prev) {
      if (!g[r].is_read() || kept(r)) continue;
      while (checked > index(r)) {
        const auto e = EventId(--checked);
        if (!kept(e) && !added_maximally(g, e, prefix)) return;
      }
      if (rival == kNoEvent || r < rival) items().push_back({Item::kRevisit, w, r, kNoEvent, 0});
    }
  }

  // Def. 2.1: co-maximal among the events that were added before e or are in the prefix.
  static bool added_maximally(const Graph& g, EventId e, std::span<const uint32_t> prefix) {
    const Event& event = g[e];
    const auto counts = [&](EventId x) { return x < e || g[x].po <= prefix[index(g[x].thread)]; };
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

  // Ends.

  void finish() {
    const bool complete = all_exited(graph()) || ended_process(graph(), machine_);
    if (graph().has_help()) {
      if (const auto error = find_wrong_help(graph(), Model::kSync == Graph::Sync::by_mode)) {
        fail(*error);
        return;
      }
    }
    if (!complete) {
      tally_.note_limits(machine_);
      if (const auto error = find_deadlock(graph(), machine_)) {
        fail(*error);
        return;
      }
    }
    if (const auto error = find_late_protect(graph(), machine_)) {
      fail(*error);
      return;
    }
    ++(complete ? tally_.result.executions : tally_.result.blocked);
    if (observer_) observer_->execution(graph(), machine_, complete);
    if (tally_.out_of_executions() && !nothing_left()) tally_.limit(Limit::executions);
    tally_.check_time();
    if (!graph().has_twins() || all_exited(graph())) return;
    const ThreadId t = find_held_up(graph(), machine_, known_joins_);
    if (t == kNoThread) return;
    joined_apart(graph().last(t) != kNoEvent ? graph().last(t) : graph().creation(t));
  }

  bool nothing_left() const {
    for (std::size_t d = 0; d < depth_; ++d) {
      if (!levels_[d]->items.empty()) return false;
    }
    return true;
  }

  bool check_thread(ThreadId t) {
    if (machine_.pending(t).kind != ActionKind::error) return true;
    return fail(machine_.error(t));
  }

  bool check_race(EventId e) {
    if (options_.races_ignore) return true;
    if (const auto error = find_race(graph(), e)) return fail(*error);
    return true;
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

  template <class AnyError>
  bool fail(const AnyError& error) {
    tally_.found(make_finding(graph(), machine_, error));
    return false;
  }

  // Backwards.

  // Makes the next choice that gives a consistent graph. False when none is left.
  bool backtrack() {
    while (depth_ > 0) {
      if (items().empty()) {
        pop_level();
        continue;
      }
      const Item item = items().back();
      items().pop_back();
      graph().cut(index(item.event) + 1);
      if (apply(item)) {
        resumed_ = item;
        return true;
      }
    }
    return false;
  }

  bool apply(const Item& item) {
    Graph& g = graph();
    switch (item.kind) {
      case Item::kChoice: g.set_choice(item.event, item.choice); return true;
      case Item::kRead: g.set_rf(item.event, item.other); return model_.admits(g, item.event);
      case Item::kPlace:
        g.place(item.event, item.other);
        return model_.admits(g, item.event) && (item.revisited == kNoEvent || readable(item.revisited)) &&
               check_co(item.event);
      case Item::kRevisit: revisit(item.event, item.other); return false;
    }
    __builtin_unreachable();
  }

  // Whether the revisited read may read from its write at the place that the write has now.
  bool readable(EventId r) {
    const Graph& g = graph();
    return floor(r) <= g.co_position(g[r].rf) && model_.admits(g, r);
  }

  // Where the history has the action of the write w: at the read of its rmw, unless that one was added long before and
  // has been revisited; then it comes after the write that it reads from, and must stay there.
  static EventId action_of(const Graph& g, EventId w) {
    const EventId before = g.predecessor(w);
    return g[w].exclusive && index(before) + 1 == index(w) ? before : w;
  }

  void revisit(EventId w, EventId r) {
    const Graph& from = graph();
    level_->history.update(from, action_of(from, w));
    push_level();
    Graph& g = graph();
    const auto kept = g.restrict(from, r, w);
    g.set_rf(kept.read, kept.write);
    g.set_revisited(kept.write);
    const LocId l = g[kept.write].loc;
    if (g[kept.write].exclusive) {
      items().push_back({Item::kPlace, kept.write, g[g.predecessor(kept.write)].rf, kept.read, 0});
    } else {
      note_places(kept.write, l, kept.read, false);
    }
  }

  // Goes on from the changed graph. What the change still owes comes before the machine follows, which costs most:
  // checks, and the second half of an rmw, which may not fit in.
  void resume() {
    const Item& item = resumed_;
    const bool revisit = item.kind == Item::kPlace && item.revisited != kNoEvent;
    const EventId read = item.kind == Item::kRead ? item.event : revisit ? item.revisited : kNoEvent;
    if (item.kind == Item::kPlace && !check_race(item.event)) return;
    if (read != kNoEvent) {
      if (!check_race(read)) return;
      if (graph().open(read) && !complete(read)) return;
    }
    History& history = level_->history;
    if (revisit) {
      history.restrict(levels_[depth_ - 2]->history, graph(), {&read, 1});
    } else {
      history.update(graph(), item.event);
    }
    tally_.result.events += history.size();
    if (const ThreadId failed = history.replay(graph(), machine_); failed != kNoThread) {
      fail(machine_.error(failed));
      return;
    }
    for (const ThreadId t : machine_.threads()) {
      if (!check_thread(t)) return;
    }
    if (read != kNoEvent && graph()[read].blocked && !check_wait(read)) return;
    // Not maximal, as with an await.
    if (item.kind == Item::kRead && stops_at(graph(), machine_, read)) return;
    extend();
  }

  Machine& machine_;
  const ExploreOptions options_;
  Observer* observer_;
  Model model_;
  Locations locations_;
  std::vector<std::unique_ptr<Level>> levels_;
  std::size_t depth_ = 0;
  Level* level_ = nullptr;  // the topmost
  std::size_t cursor_ = 0;
  Item resumed_{};
  KnownJoins known_joins_;
  Tally tally_;
};

}  // namespace

Result explore_spore(Machine& machine, ModelKind model, const ExploreOptions& options, Observer* observer) {
  switch (model) {
    case ModelKind::sc: return Spore<Sc>(machine, options, observer).run();
    case ModelKind::tso: return Spore<Tso>(machine, options, observer).run();
    case ModelKind::pso: return Spore<Pso>(machine, options, observer).run();
    case ModelKind::ra: return Spore<Ra>(machine, options, observer).run();
    case ModelKind::rc11: return Spore<Rc11>(machine, options, observer).run();
    case ModelKind::wrc11: break;  // has no co
  }
  throw UserError("spore cannot explore " + std::string(name(model)) + ": it needs a coherence order");
}

}  // namespace heddle
