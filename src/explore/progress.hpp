// How far the threads of an execution graph have come.
#pragma once

#include "graph/graph.hpp"
#include "machine/machine.hpp"

namespace heddle {

// Whether t is a thread of this graph; others may have more threads.
inline bool exists(const Graph& g, ThreadId t) {
  return t == kMain || (index(t) < g.thread_count() && g.creation(t) != kNoEvent);
}

inline bool has_exited(const Graph& g, ThreadId t) {
  const EventId last = g.last(t);
  return last != kNoEvent && g[last].kind == EventKind::exit;
}

// Whether t's last event is a read that waits.
inline bool waits(const Graph& g, ThreadId t) {
  const EventId last = g.last(t);
  return last != kNoEvent && g[last].blocked;
}

// Whether all threads that were created have exited.
inline bool all_exited(const Graph& g) {
  for (std::size_t t = 0; t < g.thread_count(); ++t) {
    if (exists(g, ThreadId(t)) && !has_exited(g, ThreadId(t))) return false;
  }
  return true;
}

// Whether t is a thread of this graph that has not come to an end in it.
inline bool goes_further(const Graph& g, ThreadId t) {
  if (!exists(g, t)) return false;
  const EventId last = g.last(t);
  return last == kNoEvent || (!g[last].blocked && g[last].kind != EventKind::exit);
}

// Whether the leave that a thread is about to do may be added.
inline bool all_arrived(Graph& g, const Action& leave) { return g.is_full(g.meeting(leave), leave.operand.lo); }

// Of a leave that elects: whether t is the first of the threads that have arrived in the phase, by their paths.
inline Value result_of_leave(Graph& g, const ThreadPaths& paths, ThreadId t, const Action& a) {
  if (a.kind != ActionKind::leave || !a.elects) return {};
  bool is_first = true;
  for (EventId e = g.last_at(g.meeting(a)); e != kNoEvent; e = g[e].loc_prev) {
    if (g[e].kind != EventKind::arrive || g[e].value.lo != a.operand.lo) continue;
    is_first &= paths.path(t) <= paths.path(g[e].thread);
  }
  return {is_first, 0};
}

// The location of an access that is about to be added.
inline LocId enter(Graph& g, Machine& machine, const Action& a) {
  const LocId l = g.location(a.addr);
  if (!g.seen(l)) g.set_base(l, machine.base(a.addr, a.size));
  return l;
}

}  // namespace heddle
