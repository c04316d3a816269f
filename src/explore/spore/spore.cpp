// SPORE (Algorithm 1 and §3), with awaits that block in no useless graph: spore/losing.hpp.
#include "explore/spore/spore.hpp"

#include <algorithm>

#include "core/assert.hpp"
#include "explore/judge/helping.hpp"
#include "explore/request/coverage.hpp"
#include "explore/spore/level.hpp"
#include "explore/spore/losing.hpp"
#include "explore/spore/maximal.hpp"
#include "explore/spore/rechecks.hpp"
#include "explore/spore/symmetry.hpp"
#include "models/pso.hpp"
#include "models/ra.hpp"
#include "models/rc11.hpp"
#include "models/sc.hpp"
#include "models/tso.hpp"

namespace heddle {
namespace {

// (ATOMICITY) Nothing is between the write that an rmw reads from and its own.
[[maybe_unused]] bool is_atomic(const Graph& g) {
  for (std::size_t i = 0; i < g.size(); ++i) {
    const Event& w = g[EventId(i)];
    if (w.is_write() && w.exclusive && w.co_prev != g[g.predecessor(EventId(i))].rf) return false;
  }
  return true;
}

template <CoherentModel Model>
class Spore : public Kernel<Spore<Model>, SporeLevel> {
  using Base = Kernel<Spore<Model>, SporeLevel>;
  friend Base;

 public:
  static constexpr ModelKind kModel = Model::kKind;
  static constexpr Sync kSync = Model::kSync;
  static constexpr bool kReplayToError = true;

  using Base::Base;

 private:
  using Base::check_race;
  using Base::complete;
  using Base::graph;
  using Base::level_;
  using Base::machine_;

  // The co-maximal write first: that step is always consistent. An await's read of an unsatisfying value is of no
  // interest, unless it is an error in itself.
  bool read(ThreadId t, const Action& a) {
    Graph& g = graph();
    const LocId l = enter(g, machine_, a);
    if (follows_look(t, a)) return confirm(t, a);
    if (has_look(t, a)) return recheck(t, a);
    const EventId last = g.co_last(l);
    const EventId winner = a.await == Await::none ? kNoEvent : this->winner(t, l);
    const EventId r = g.add_read(t, a, last);
    g.set_winner(r, winner);
    if (last == kInit) return this->finish_read(r);
    const std::size_t since = a.await == Await::none ? 0 : passed(t, index(r));
    for_each_older(r, winner, since,
                   [&](EventId w) { level_->push({.kind = ItemKind::read, .event = r, .other = w}); });
    if (g[r].rf != last) g.set_rf(r, last);
    return this->finish_read(r);
  }

  // Confirmations. Let r be the last event of the thread, a read (the look), and c a compare-exchange of the same
  // location that expects what r has read, with Action::confirms. c reads from rf(r) and is added directly after r. A
  // write that revisits the two revisits r, never c. So r and c are the read of one rmw, whose write is known once r is
  // there. When r is added, no other thread can go on because of it, and c follows. When r is revisited, others may be
  // able to go on, so the thread of r goes first (goes_first).
  //
  // An execution in which r and c read from different writes has the same events otherwise as one in which they read
  // from the same write (frontend/loops/retries.hpp). Only the latter are explored, each once, as with an rmw.
  bool follows_look(ThreadId t, const Action& a) {
    const Graph& g = graph();
    if (!a.confirms) return false;
    has_confirmations_ = true;
    const EventId look = g.last(t);
    return look != kNoEvent && g[look].is_read() && g.address(g[look].loc) == a.addr && g[look].value == a.expected;
  }
  bool confirm(ThreadId t, const Action& a) {
    Graph& g = graph();
    const EventId w = g[g.last(t)].rf;
    const EventId r = g.add_read(t, a, w);
    g.set_confirms(r);
    if (w != g.co_last(g[r].loc) && !readable(r)) return false;
    return this->finish_read(r);
  }

  // Rechecks: explore/spore/rechecks.hpp.
  bool has_look(ThreadId t, const Action& a) const {
    return looks_ != Looks::open && look_of(level_->graph, t, a) != kNoEvent;
  }
  bool recheck(ThreadId t, const Action& a) {
    Graph& g = graph();
    const EventId look = look_of(g, t, a);
    promises_.made(g, look, t);
    if (!keeps_promises()) return false;
    const EventId w = g[look].rf;
    const EventId last = g.co_last(g[look].loc);
    const auto add = [&](EventId from) {
      const EventId r = g.add_read(t, a, from);
      g.set_confirms(r);
      return r;
    };
    const EventId r = add(w);
    if (w == last) return this->finish_read(r);
    const bool fits = readable(r);
    if (fits && !(g[r].exclusive && exclusive_after(g, g[r].loc, w) != kNoEvent)) return this->finish_read(r);
    g.cut(index(r));  // it is dead
    const bool doomed = promises_.is_doomed(g, t, a);
    if (!keeps_promises()) return false;
    if (!fits) return !doomed && this->finish_read(add(last));
    add(w);
    if (!doomed) level_->push({.kind = ItemKind::read, .event = r, .other = last});
    return this->finish_read(r);
  }
  bool note_write(EventId w) {
    if (looks_ == Looks::open) return true;
    return promises_.wrote(graph(), w) || keeps_promises();
  }
  bool has_just_read(ThreadId t) const {
    const EventId last = level_->graph.last(t);
    return last != kNoEvent && (level_->graph[last].is_read() || level_->graph[last].kind == EventKind::help);
  }
  bool keeps_promises() {
    if (looks_ == Looks::open || promises_.hold(machine_.lost())) return true;
    this->broke(Assumption::looks);
    return false;
  }
  bool is_doomed(ThreadId t) {
    if (looks_ == Looks::open || !has_just_read(t)) return false;
    const Graph& g = graph();
    const Action& a = machine_.pending(t);
    const bool stopped =
        a.kind == ActionKind::block && (a.reason == BlockReason::assume || a.reason == BlockReason::spin);
    const bool dead = g[g.last(t)].confirms && waits(g, t);
    if (!(stopped || dead) || !promises_.is_doomed(g, t, a)) return false;
    keeps_promises();
    return true;
  }
  std::vector<Promise> promises() { return promises_.list(this->locations(), machine_.lost()); }

  // Whether a thread is the first one changes only when it moves.
  ThreadId goes_first(ThreadId moved) {
    if (moved == kNoThread) others_may_be_first_ = true;
    if (!has_confirmations_ && looks_ == Looks::open) return kNoThread;
    const auto is_first = [&](ThreadId t) {
      if (!has_just_read(t) || !goes_further(graph(), t)) return false;
      const Action& a = machine_.pending(t);
      return follows_look(t, a) || (looks_ != Looks::open && is_in_round(graph(), t, a));
    };
    if (moved != kNoThread && is_first(moved)) return moved;
    if (!others_may_be_first_) return kNoThread;
    const auto all = this->threads_.all();
    const auto first = std::ranges::find_if(all, is_first);
    others_may_be_first_ = first != all.end();
    return others_may_be_first_ ? *first : kNoThread;
  }

  // Calls f for each write but the last that r can read, that follows from the winner, if there is one, and that was
  // added as number `since` or later. r reads from any then.
  template <class F>
  void for_each_older(EventId r, EventId winner, std::size_t since, const F& f) {
    Graph& g = graph();
    const LocId l = g[r].loc;
    const uint32_t floor = this->floor(r);
    for (EventId w = g.co_last(l); g.co_position(w) > floor;) {
      w = g[w].co_prev;
      if ((since > 0 && (w == kInit || index(w) < since)) || !follows(g, w, winner)) continue;
      if (!satisfied(g[r], g.value_of(l, w))) {
        g.set_rf(r, w);
        if (!this->wait_fails(r)) continue;
      }
      f(w);
    }
  }

  // Awaits.

  bool may_start(ThreadId t, const Action& a) {
    if (a.await == Await::none || follows_look(t, a) || has_look(t, a)) return true;
    Graph& g = graph();
    const LocId l = enter(g, machine_, a);
    const EventId last = g.co_last(l);
    const bool may = satisfied(a, g.value_of(l, last)) && follows(g, last, winner(t, l)) && !g.would_overtake(t);
    some_thread_waits_ |= !may;
    return may;
  }

  // The write to which t's next event, an await, has lost.
  EventId winner(ThreadId t, LocId l) { return has_losers_ ? winner_over(graph(), t, l) : kNoEvent; }

  std::size_t passed(ThreadId t, std::size_t size) { return passed_by(graph(), t, size, this->threads_); }

  // No thread can go on. Notes what those that wait may read late, and adds their reads of the co-last write.
  bool add_waits() {
    Graph& g = graph();
    const std::size_t size = g.size();
    auto& waiting = level_->waiting;
    std::size_t first = waiting.size();
    for (const ThreadId t : this->threads_.all()) {
      if (!goes_further(g, t)) continue;
      const Action& a = machine_.pending(t);
      if (a.await == Await::none) continue;
      if (waiting.size() == first) waiting.resize(first = level_->used_waiting());
      const auto number = static_cast<uint32_t>(waiting.size());
      waiting.push_back({t, a});
      const LocId l = enter(g, machine_, a);
      if (g.co_last(l) == kInit || g.would_overtake(t)) continue;
      const EventId winner = this->winner(t, l);  // before its read is there
      const EventId r = g.add_read(t, a, g.co_last(l));
      for_each_older(r, winner, passed(t, size), [&](EventId w) {
        level_->push({.kind = ItemKind::wait, .event = EventId(size - 1), .other = w, .choice = number});
      });
      g.cut(size);
    }
    for (std::size_t i = first; i < waiting.size(); ++i) {
      const auto& [t, a] = waiting[i];
      const LocId l = g.location(a.addr);
      if (satisfied(a, g.value_of(l, g.co_last(l)))) {  // in the execution it goes on, but that is another graph
        this->count_given_up();
        return false;
      }
      const EventId r = g.add_read(t, a, g.co_last(l));
      if (!check_race(r) || !this->check_wait(r)) return false;
    }
    return true;
  }

  // Notes the reads that w may revisit and the other places that it may have in co, and places it. False if it has no
  // place in this graph (its rmw reads what another rmw reads): it may still revisit.
  bool write(EventId w) {
    if (some_thread_waits_) this->threads_.look_again();
    note_revisits(w);
    Graph& g = graph();
    if (g[w].exclusive) {
      if (!place(w, g[g.predecessor(w)].rf)) return false;
    } else {
      note_places(w, kNoEvent, true);
      g.place(w, g.co_last(g[w].loc));
    }
    return note_write(w);
  }

  // Puts the write w of an rmw after the write p that its read r reads from, if the graph stays consistent. The axioms
  // need no second look: w has no reader and nothing after it in po, and whatever leads into w and by co on to a write
  // w', leads to w' without w, too: from p by co, from r and the other readers of p by rb.
  bool place(EventId w, EventId p) {
    Graph& g = graph();
    if (exclusive_after(g, g[w].loc, p) != kNoEvent) return false;
    const bool maximal = p == g.co_last(g[w].loc);
    g.place(w, p);
    return maximal || check_co(w);
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
      if (exclusive_after(g, l, p) != kNoEvent) continue;
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
    const EventId rival = g[w].exclusive ? exclusive_after(g, l, g[g.predecessor(w)].rf) : kNoEvent;
    if (rival != kNoEvent && g.in(prefix, rival)) return;
    const EventId limit = has_losers_ ? first_deletable(g, w) : EventId(0);
    auto checked = index(w);
    for (EventId r = g.accesses(l), next; r != kNoEvent; r = next) {
      const bool known = g.in(prefix, r);
      next = known ? g.others_before(r) : g[r].loc_prev;
      if (known || !g[r].is_read() || g[r].confirms) continue;
      while (checked > index(r)) {
        const auto e = EventId(--checked);
        if (!g.in(prefix, e) && !added_maximally(g, e, prefix)) return;
      }
      if (has_losers_ && (r < limit || !follows(g, w, g[r].winner))) continue;
      if (rival != kNoEvent && r > rival) continue;
      level_->push({.kind = ItemKind::revisit, .event = w, .other = r});
    }
  }

  // consistent_SYM: the model's floor, and symb;eco is irreflexive.
  uint32_t floor(EventId e) {
    const Graph& g = graph();
    const uint32_t floor = model_.floor(g, e);
    HEDDLE_ASSERT(floor <= g.co_position(g.co_last(g[e].loc)));
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
        HEDDLE_ASSERT(item.revisited == kNoEvent || g[item.revisited].rf == item.event);
        g.place(item.event, item.other);
        if (!model_.admits(g, item.event)) return false;
        if (!note_write(item.event)) return false;
        if (item.revisited == kNoEvent) return check_co(item.event) && check_race(item.event);
        level_->has_history = false;
        level_->revisited.assign(1, item.revisited);
        return readable(item.revisited) && check_co(item.event) && check_race(item.event) && settle(item.revisited);
      case ItemKind::revisit: revisit(item.event, item.other); return false;
      case ItemKind::wait: break;  // a read by now
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
    if (!satisfied(from[r], from[w].value)) return lose(from, r, w);
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

  void after_load() {
    const Graph& g = graph();
    has_confirmations_ = true;
    for (std::size_t i = 0; i < g.size(); ++i) {
      const Event& e = g[EventId(i)];
      has_losers_ |= e.is_write() && e.loser != kNoThread;
    }
  }

  // The await r loses to w. Unless w is the last in co then, nothing that descends from it lets r go on; such a graph
  // only matters if w takes r's place.
  void lose(const Graph& from, EventId r, EventId w) {
    const LocId l = from[r].loc;
    const EventId next = from[w].exclusive ? exclusive_after(from, l, from[from.predecessor(w)].rf) : kNoEvent;
    const bool takes_place = next != kNoEvent && next != w;
    Graph& g = graph();
    const EventId winner = g.restrict_without(from, r, w);
    g.set_revisited(winner);
    g.set_loser(winner, from[r].thread, index(r));  // what comes before r is kept
    has_losers_ = true;
    const EventId after = g[winner].exclusive ? g[g.predecessor(winner)].rf : g.co_last(l);
    if (takes_place || after == g.co_last(l)) level_->push({.kind = ItemKind::place, .event = winner, .other = after});
  }

  bool waits_for_ever(EventId r) {
    const Graph& g = graph();
    return !satisfied(g[r], g.value_of(g[r].loc, g.co_last(g[r].loc)));
  }

  template <class AnyError>
  bool fail(const AnyError& error) {
    this->found(graph(), error);
    return false;
  }

  // Symmetry and helping: what they rest on.

  template <class AnyError>
  bool hold(const std::optional<AnyError>& error) {
    return !error || fail(*error);
  }

  bool before_step(ThreadId t) {
    return !graph().has_twins() || machine_.pending(t).kind == ActionKind::join || hold(find_joined_apart(graph(), t));
  }

  bool check_end() {
    HEDDLE_ASSERT(is_atomic(graph()));
    return !graph().has_help() || hold(find_wrong_help(graph(), kModel != ModelKind::ra));
  }

  // The exit of a thread shows whether it has joined twins apart (before_step).
  bool may_leave_out_rest() {
    const Graph& g = graph();
    return !g.has_twins() || std::ranges::none_of(this->threads_.all(), [&](ThreadId t) {
      return t != kMain && exists(g, t) && g.last(t) != kNoEvent && g[g.last(t)].kind == EventKind::join;
    });
  }

  void after_execution() {
    if (graph().has_twins() && !all_exited(graph())) hold(find_held_up(graph(), machine_, known_joins_));
  }

  // Strong models have no such cycles.
  bool check_co(EventId w) { return Model::kCoAcyclic || !graph().has_twins() || hold(find_co_cycle(graph(), w)); }

  Model model_;
  const Looks looks_ = machine_.assumed().looks;
  bool others_may_be_first_ = false;  // than the one that moved last
  Promises promises_{looks_, machine_.assumed().rewritten};
  KnownJoins known_joins_;
  bool has_losers_ = false;         // some graph has one
  bool has_confirmations_ = false;  // some action may confirm a look
  bool some_thread_waits_ = false;  // some time, in some graph
};

template <CoherentModel Model>
Result by(Machine& machine, const Request& request) {
  if (!request.estimate) return Spore<Model>(machine, request).run();
  return estimate(request, [&](Random& random) { return Spore<Model>(machine, request).descend(random); });
}

}  // namespace

Result explore_spore(Machine& machine, const Request& request) {
  switch (request.model) {
    case ModelKind::sc: return by<Sc>(machine, request);
    case ModelKind::tso: return by<Tso>(machine, request);
    case ModelKind::pso: return by<Pso>(machine, request);
    case ModelKind::ra: return by<Ra>(machine, request);
    case ModelKind::rc11: return by<Rc11>(machine, request);
    case ModelKind::wrc11: break;
  }
  throw UserError(why_not(request.algorithm, request.model));
}

}  // namespace heddle
