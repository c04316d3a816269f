#include "models/wrc11.hpp"

#include <algorithm>

namespace heddle {

void WeakOrder::start(const Graph& g) {
  stride_ = g.thread_count();
  known_.assign(g.size(), 0);
  if (clocks_.size() < g.size() * stride_) clocks_.resize(g.size() * stride_);
}

// A read of the location that happens before w brings all that is before the write that it reads from; the later ones
// bring most of what the earlier ones would.
const uint32_t* WeakOrder::prefix(const Graph& g, EventId w) {
  uint32_t* clock = clocks_.data() + index(w) * stride_;
  if (known_[index(w)]) return clock;
  known_[index(w)] = 1;
  const auto hb = g.hb(w);
  std::fill_n(clock, stride_, 0);
  const auto add = [&](const uint32_t* more) {
    for (std::size_t t = 0; t < stride_; ++t) clock[t] = std::max(clock[t], more[t]);
  };
  for (EventId r = g.accesses(g[w].loc); r != kNoEvent; r = g[r].loc_prev) {
    const Event& e = g[r];
    const bool before = g.in(hb, r) && e.po > clock[index(e.thread)];
    if (before && e.is_read() && e.rf != kInit) add(prefix(g, e.rf));
  }
  add(hb.data());
  return clock;
}

bool WeakOrder::co_weak(const Graph& g, EventId a, EventId b) {
  if (b == kInit || a == b) return false;
  return a == kInit || g.in({prefix(g, b), stride_}, a);
}

bool WeakOrder::eco(const Graph& g, EventId a, EventId b) {
  const EventId from = g[a].is_write() ? a : g[a].rf;
  const EventId to = g[b].is_write() ? b : g[b].rf;
  return co_weak(g, from, to) || (from == to && a == from && b != to);
}

bool WeakOrder::before_write(const Graph& g, EventId a, EventId w) {
  return co_weak(g, g[a].is_write() ? a : g[a].rf, w);
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

bool Wrc11::readable(const Graph& g, EventId r, EventId w) {
  const EventId before = g.predecessor(r);
  if (before == kNoEvent) return true;
  const auto hb = g.hb(before);
  for (EventId x = g.accesses(g[r].loc); x != kNoEvent; x = g[x].loc_prev) {
    if (!g.in(hb, x)) continue;
    if (co_weak(g, w, g[x].is_write() ? x : g[x].rf)) return false;
  }
  return true;
}

}  // namespace heddle
