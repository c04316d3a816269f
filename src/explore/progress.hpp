// How far the threads of an execution have come. Shared by the explorers that work on graphs.
#pragma once

#include "graph/graph.hpp"
#include "machine/machine.hpp"

namespace heddle {

inline bool has_exited(const Graph& g, ThreadId t) {
  const EventId last = g.last(t);
  return last != kNoEvent && g[last].kind == EventKind::exit;
}

// Whether all threads that were created have exited.
inline bool all_exited(const Graph& g) {
  for (std::size_t t = 0; t < g.thread_count(); ++t) {
    const bool created = ThreadId(t) == kMain || g.creation(ThreadId(t)) != kNoEvent;
    if (created && !has_exited(g, ThreadId(t))) return false;
  }
  return true;
}

// Whether t has a next event in this graph.
inline bool can_go_on(const Graph& g, Machine& machine, ThreadId t) {
  if (t != kMain && g.creation(t) == kNoEvent) return false;
  if (const EventId last = g.last(t); last != kNoEvent && (g[last].blocked || g[last].kind == EventKind::exit)) {
    return false;
  }
  const Action& a = machine.pending(t);
  if (is_final(a.kind)) return false;
  return a.kind != ActionKind::join || has_exited(g, a.child);
}

// The leftmost thread that can go on, a function of the graph alone; kNoThread if there is none. No thread before
// `cursor` can, which the caller sets back when one may again: after a create or an exit.
inline ThreadId leftmost(const Graph& g, Machine& machine, std::size_t& cursor) {
  for (; cursor < g.thread_count(); ++cursor) {
    if (can_go_on(g, machine, ThreadId(cursor))) return ThreadId(cursor);
  }
  return kNoThread;
}

// Whether t has got no further than its last event, the read r: its assumption fails. If r can then neither be
// revisited nor removed, nothing comes of it. What the others do meanwhile they also do where r reads from elsewhere,
// and nobody but t knows of r. That is not so if t has written or used plain memory after r: then others may see it, or
// race.
inline bool stops_at(const Graph& g, Machine& machine, EventId r) {
  const ThreadId t = g[r].thread;
  if (g.last(t) != r) return false;
  const Action& next = machine.pending(t);
  return next.kind == ActionKind::block && next.reason == BlockReason::assume && next.at_once;
}

// The location of an access that is about to be added.
inline LocId enter(Graph& g, Machine& machine, const Action& a) {
  const LocId l = g.location(a.addr);
  if (!g.seen(l)) g.set_base(l, machine.base(a.addr, a.size));
  return l;
}

}  // namespace heddle
