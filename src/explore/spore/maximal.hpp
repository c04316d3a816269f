// What spore asks of single events (SPORE Def. 2.1), while it notes revisits.
#pragma once

#include "graph/graph.hpp"

namespace heddle {

// The write of the rmw that reads from p, if any: nothing may come between the two.
inline EventId exclusive_after(const Graph& g, LocId l, EventId p) {
  const EventId next = g.co_next(l, p);
  return next != kNoEvent && g[next].exclusive ? next : kNoEvent;
}

// Def. 2.1: co-maximal among the events that were added before e or are in the prefix. An await that was late
// is none that the scheduler has added.
inline bool added_maximally(const Graph& g, EventId e, Prefix prefix) {
  const Event& event = g[e];
  const auto counts = [&](EventId x) { return x < e || g.in(prefix, x); };
  EventId later;
  if (event.is_read()) {
    if (event.confirms) return true;  // there was no other way
    if (event.late || (event.rf != kInit && !counts(event.rf))) return false;
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

}  // namespace heddle
