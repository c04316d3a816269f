// Coherence by happens-before, which RA and RC11 share: hb ; eco is irreflexive.
#pragma once

#include <algorithm>

#include "graph/graph.hpp"

namespace heddle {

// The co position of the latest write that e's hb-prefix has seen. Of one thread's accesses the last one in the prefix
// tells: by coherence those before it have seen nothing later.
inline uint32_t hb_floor(const Graph& g, EventId e) {
  const EventId before = g.predecessor(e);
  if (before == kNoEvent) return 0;
  const LocId l = g[e].loc;
  const auto hb = g.hb(before);
  const uint32_t top = g.co_position(g.co_last(l));
  uint32_t floor = 0;
  for (EventId a = g.accesses(l); a != kNoEvent && floor < top;) {
    const Event& x = g[a];
    if (!g.in(hb, a)) {
      a = x.loc_prev;
      continue;
    }
    floor = std::max(floor, x.is_write() ? x.co : g.co_position(x.rf));
    a = g.others_before(a);
  }
  return floor;
}

// Whether a read would find nothing else if it came later.
inline bool reads_latest(const Graph& g, EventId r) { return g[r].rf == g.co_last(g[r].loc); }

// For Psc: a total co.
struct TotalOrder {
  static void start(const Graph&) {}

  // The place of an access in eco of its location: a write before its readers, a reader before the next write.
  // eco(a, b) iff level(a) < level(b).
  static uint32_t level(const Graph& g, EventId a) {
    const Event& e = g[a];
    return e.is_write() ? 2 * e.co : 2 * g.co_position(e.rf) + 1;
  }

  static bool before_write(const Graph& g, EventId a, EventId w) { return level(g, a) < level(g, w); }

  static bool between_fences(const Graph& g, LocId l, EventId f, EventId h) {
    uint32_t after = UINT32_MAX;  // the eco-least access that f happens before
    uint32_t before = 0;          // the eco-greatest access that happens before h
    for (EventId x = g.accesses(l); x != kNoEvent; x = g[x].loc_prev) {
      if (g.hb(f, x)) after = std::min(after, level(g, x));
      if (g.hb(x, h)) before = std::max(before, level(g, x));
    }
    return after < before;
  }
};

}  // namespace heddle
