#include "models/wrc11.hpp"

#include <algorithm>

namespace heddle {
namespace {

bool eco(const Graph& g, EventId a, EventId b) {
  const EventId from = g[a].is_write() ? a : g[a].rf;
  const EventId to = g[b].is_write() ? b : g[b].rf;
  return Wrc11::co_weak(g, from, to) || (from == to && a == from && b != to);
}

}  // namespace

// Follows hb and rf of the location backwards from b.
bool Wrc11::co_weak(const Graph& g, EventId a, EventId b) {
  if (b == kInit || a == b) return false;
  if (a == kInit) return true;
  const auto start = g.hb(b);
  std::vector<uint32_t> clock(start.begin(), start.end());
  for (bool grown = true; grown;) {
    grown = false;
    for (EventId r = g.accesses(g[b].loc); r != kNoEvent; r = g[r].loc_prev) {
      const Event& e = g[r];
      if (!e.is_read() || e.rf == kInit || e.po > clock[index(e.thread)]) continue;
      const auto write = g.hb(e.rf);
      for (std::size_t t = 0; t < clock.size(); ++t) {
        if (write[t] <= clock[t]) continue;
        clock[t] = write[t];
        grown = true;
      }
    }
  }
  return g[a].po <= clock[index(g[a].thread)];
}

bool Wrc11::readable(const Graph& g, EventId r, EventId w) {
  const EventId before = g.predecessor(r);
  if (before == kNoEvent) return true;
  const auto hb = g.hb(before);
  for (EventId x = g.accesses(g[r].loc); x != kNoEvent; x = g[x].loc_prev) {
    if (g[x].po > hb[index(g[x].thread)]) continue;
    if (co_weak(g, w, g[x].is_write() ? x : g[x].rf)) return false;
  }
  return true;
}

bool WeakOrder::before_write(const Graph& g, EventId a, EventId w) {
  return Wrc11::co_weak(g, g[a].is_write() ? a : g[a].rf, w);
}

bool WeakOrder::between_fences(const Graph& g, LocId l, EventId f, EventId h) {
  for (EventId a = g.accesses(l); a != kNoEvent; a = g[a].loc_prev) {
    if (!g.hb(f, a)) continue;
    for (EventId b = g.accesses(l); b != kNoEvent; b = g[b].loc_prev) {
      if (a != b && g.hb(b, h) && eco(g, a, b)) return true;
    }
  }
  return false;
}

}  // namespace heddle
