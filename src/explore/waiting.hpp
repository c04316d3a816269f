// What a thread that can go no further waits for, as the graph tells.
#pragma once

#include "explore/progress.hpp"
#include "explore/standstill.hpp"

namespace heddle {

// In the read r.
inline Wait wait_in(const Graph& g, EventId r, bool for_ever) {
  return {true, for_ever, g[r].rf == kInit ? kNoThread : g[g[r].rf].thread, g.address(g[r].loc)};
}

// Whether a read of a round of a loop would find the same in the next round. What the round itself has written is what
// it has read.
inline bool finds_the_same(const Graph& g, EventId r, uint32_t before_round) {
  for (EventId w = g.co_next(g[r].loc, g[r].rf); w != kNoEvent; w = g[w].co_next) {
    if (g[w].thread != g[r].thread || g[w].po <= before_round) return false;
  }
  return true;
}

// In a round of a loop that has changed nothing, if that is where t has stopped. `same` says of each of its reads, and
// of the number of events before the round, whether it would find the same again.
template <class Same>
Wait wait_in_round(const Graph& g, Machine& machine, ThreadId t, const Same& same) {
  const Action& a = machine.pending(t);
  if (a.kind != ActionKind::block || a.reason != BlockReason::spin) return {};
  Wait wait{.waits = true, .for_ever = true};
  const EventId last = g.last(t);
  const uint32_t end = last == kNoEvent ? 0 : g[last].po;
  for (uint32_t po = end - a.round + 1; po <= end; ++po) {
    const EventId e = g.event(t, po);
    if (g[e].kind == EventKind::choice) wait.for_ever = false;
    if (g[e].is_read()) wait = wait_in(g, e, wait.for_ever && same(e, end - a.round));
  }
  return wait;
}

}  // namespace heddle
