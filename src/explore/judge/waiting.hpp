// What a thread that can go no further waits for, as the graph tells.
#pragma once

#include "explore/judge/standstill.hpp"
#include "explore/progress.hpp"
#include "models/wrc11.hpp"

namespace heddle {

// In the read r.
inline Wait wait_in(const Graph& g, EventId r, bool for_ever) {
  return {true, for_ever, g[r].rf == kInit ? kNoThread : g[g[r].rf].thread, g.address(g[r].loc)};
}

// Whether the thread of w has stopped at the end of a round of a loop that has changed nothing, and w is of that round.
// So it has written what it has read, or taken back what it did.
inline bool in_last_round(const Graph& g, Machine& machine, EventId w) {
  const ThreadId t = g[w].thread;
  const Action& a = machine.pending(t);
  return a.kind == ActionKind::block && a.reason == BlockReason::spin && g[w].po + a.round > g[g.last(t)].po;
}

// Whether a read of such a round would find the same in the next one, while no thread does more than turn round.
inline bool finds_the_same(const Graph& g, Machine& machine, EventId r) {
  for (EventId w = g.co_next(g[r].loc, g[r].rf); w != kNoEvent; w = g[w].co_next) {
    if (!in_last_round(g, machine, w)) return false;
  }
  return true;
}

// The same where writes have no order: each that may be the last has the value that r has read. Plain memory that its
// thread reads then is the same, too, whichever of them it reads: else there would be a race.
inline bool finds_the_same(const Graph& g, Machine& machine, WeakOrder& order, EventId r) {
  const LocId loc = g[r].loc;
  const Value value = g.value_of(loc, g[r].rf);
  order.start(g);
  const auto counts = [&](EventId w) { return g[w].is_write() && !in_last_round(g, machine, w); };
  const auto may_be_last = [&](EventId w) {
    for (EventId x = g.accesses(loc); x != kNoEvent; x = g[x].loc_prev) {
      if (x != w && counts(x) && order.co_weak(g, w, x)) return false;
    }
    return true;
  };
  for (EventId w = g.accesses(loc); w != kNoEvent; w = g[w].loc_prev) {
    if (counts(w) && g[w].value != value && may_be_last(w)) return false;
  }
  return true;
}

// Likewise of a read-modify-write: it may find each that no other follows, and be ordered after it, as by a mutex.
inline bool update_finds_the_same(const Graph& g, Machine& machine, EventId r) {
  const LocId loc = g[r].loc;
  const auto counts = [&](EventId e) { return !in_last_round(g, machine, e); };
  const auto is_followed = [&](EventId w) {
    for (EventId a = g.accesses(loc); a != kNoEvent; a = g[a].loc_prev) {
      if (!counts(a) || a == w) continue;
      if ((g[a].is_read() && g[a].exclusive && g[a].rf == w) || (g[a].is_write() && g.hb(w, a))) return true;
    }
    return false;
  };
  for (EventId w = g.accesses(loc); w != kNoEvent; w = g[w].loc_prev) {
    if (g[w].is_write() && w != g[r].rf && counts(w) && !is_followed(w)) return false;
  }
  return true;
}

// Whether r has read what another thread wrote in such a round and has taken back since. The next time it may come when
// that is gone.
inline bool reads_passing(const Graph& g, Machine& machine, EventId r) {
  const EventId w = g[r].rf;
  if (w == kInit || g[w].thread == g[r].thread || !in_last_round(g, machine, w)) return false;
  const auto thread = g.thread(g[w].thread);
  EventId last = w;
  for (std::size_t i = g[w].po; i < thread.size(); ++i) {
    if (g[thread[i]].is_write() && g[thread[i]].loc == g[w].loc) last = thread[i];
  }
  return g[last].value != g[w].value;
}

// Whether a thread that waits would make this choice again: not to fail where it can go on, and to reach the time limit
// of a wait that no other thread ends.
inline bool is_made_again(const Event& choice) {
  if (choice.purpose == Purpose::mutex_trylock) return choice.value.lo == 0;
  return choice.purpose == Purpose::time_limit && choice.value.lo == 1;
}

// Whether the events of t from position `first` on and before `end` would be the same in the next round of its loop.
// `same` says of a read whether it would find the same again.
template <class Same>
bool would_come_again(const Graph& g, Machine& machine, ThreadId t, uint32_t first, uint32_t end, const Same& same) {
  for (uint32_t po = first; po < end; ++po) {
    const EventId e = g.event(t, po);
    if (g[e].kind == EventKind::choice && !is_made_again(g[e])) return false;
    if (g[e].is_read() && (!same(e) || reads_passing(g, machine, e))) return false;
  }
  return true;
}

// In the read r. In the program its thread goes round, and comes to r again if what it reads before says so. One that
// assumes something of what it reads does not wait for it: it has been stopped on purpose.
template <class Same>
Wait wait_in(const Graph& g, Machine& machine, EventId r, bool for_ever, const Same& same) {
  if (g[r].assumed) return wait_in(g, r, false);
  const ThreadId t = g[r].thread;
  const Action& a = machine.pending(t);
  const uint32_t round = is_read(a.kind) ? a.round : 0;
  return wait_in(g, r, for_ever && would_come_again(g, machine, t, g[r].po - round, g[r].po, same));
}

// In a round of a loop that has changed nothing, if that is where t has stopped.
template <class Same>
Wait wait_in_round(const Graph& g, Machine& machine, ThreadId t, const Same& same) {
  const Action& a = machine.pending(t);
  if (a.kind != ActionKind::block || a.reason != BlockReason::spin) return {};
  const EventId last = g.last(t);
  const uint32_t end = last == kNoEvent ? 1 : g[last].po + 1;
  const bool for_ever = would_come_again(g, machine, t, end - a.round, end, same);
  for (uint32_t po = end; po-- > end - a.round;) {
    if (const EventId e = g.event(t, po); g[e].is_read()) return wait_in(g, e, for_ever);
  }
  return {.waits = true, .for_ever = for_ever};
}

}  // namespace heddle
