#include "models/rc11.hpp"

#include <algorithm>

namespace heddle {
namespace {

// The place of an access in eco of its location: a write before its readers, a reader before the next write.
// eco(a, b) iff level(a) < level(b).
uint32_t level(const Graph& g, const Event& e) { return e.is_write() ? 2 * e.co : 2 * g.co_position(e.rf) + 1; }

bool hb_or_same(const Graph& g, EventId a, EventId b) { return a == b || g.hb(a, b); }

// The first event after a in its thread that is not of a's location.
EventId next_elsewhere(const Graph& g, EventId a) {
  const auto thread = g.thread(g[a].thread);
  for (std::size_t i = g[a].po; i < thread.size(); ++i) {
    if (g[thread[i]].loc != g[a].loc) return thread[i];
  }
  return kNoEvent;
}

// The last event before b in its thread that is not of b's location; the creation stands for the thread's start.
EventId previous_elsewhere(const Graph& g, EventId b) {
  EventId d = g.predecessor(b);
  while (d != kNoEvent && g[d].thread == g[b].thread && g[d].loc == g[b].loc) d = g.predecessor(d);
  return d;
}

EventId next_in_thread(const Graph& g, EventId a) {
  const auto thread = g.thread(g[a].thread);
  return g[a].po < thread.size() ? thread[g[a].po] : kNoEvent;
}

bool between_accesses(const Graph& g, EventId a, EventId b) {
  const Event& x = g[a];
  const Event& y = g[b];
  if (x.thread == y.thread && x.po < y.po) return true;
  if (x.loc == y.loc) {
    if (g.hb(a, b)) return true;
    if (y.is_write() && level(g, x) < level(g, y)) return true;
  }
  const EventId c = next_elsewhere(g, a);
  const EventId d = previous_elsewhere(g, b);
  return c != kNoEvent && d != kNoEvent && hb_or_same(g, c, d);
}

// [F^sc] ; hb? ; scb ; [E^sc]
bool fence_to_access(const Graph& g, EventId f, EventId b) {
  const EventId before = g.predecessor(b);
  if (before != kNoEvent && hb_or_same(g, f, before)) return true;
  const Event& y = g[b];
  for (EventId x = g.accesses(y.loc); x != kNoEvent; x = g[x].loc_prev) {
    if (x == b || !g.hb(f, x)) continue;
    if (g.hb(x, b) || (y.is_write() && level(g, g[x]) < level(g, y))) return true;
  }
  return false;
}

// [E^sc] ; scb ; hb? ; [F^sc]
bool access_to_fence(const Graph& g, EventId a, EventId f) {
  const EventId after = next_in_thread(g, a);
  if (after != kNoEvent && hb_or_same(g, after, f)) return true;
  const Event& x = g[a];
  for (EventId y = g.accesses(x.loc); y != kNoEvent; y = g[y].loc_prev) {
    if (y == a || !g.hb(y, f)) continue;
    if (g.hb(a, y) || (g[y].is_write() && level(g, x) < level(g, g[y]))) return true;
  }
  return false;
}

bool between_fences(const Graph& g, EventId f, EventId h) {
  if (g.hb(f, h)) return true;
  for (const LocId l : g.touched()) {
    uint32_t after = UINT32_MAX;  // the eco-least access that f happens before
    uint32_t before = 0;          // one more than the eco-greatest access that happens before h
    for (EventId x = g.accesses(l); x != kNoEvent; x = g[x].loc_prev) {
      if (g.hb(f, x)) after = std::min(after, level(g, g[x]));
      if (g.hb(x, h)) before = std::max(before, level(g, g[x]));
    }
    if (after < before) return true;
  }
  return false;
}

bool psc(const Graph& g, EventId a, EventId b) {
  if (a == b) return false;
  const bool from_fence = g[a].kind == EventKind::fence;
  const bool to_fence = g[b].kind == EventKind::fence;
  if (from_fence) return to_fence ? between_fences(g, a, b) : fence_to_access(g, a, b);
  return to_fence ? access_to_fence(g, a, b) : between_accesses(g, a, b);
}

}  // namespace

uint32_t Rc11::floor(const Graph& g, EventId before, LocId l) {
  if (g.weak_accesses() == 0 && g.sc_fences() == 0) return sc_.floor(g, before, l);
  if (before == kNoEvent) return 0;
  const auto hb = g.hb(before);
  const uint32_t top = g.co_position(g.co_last(l));
  uint32_t floor = 0;
  for (EventId a = g.accesses(l); a != kNoEvent && floor < top; a = g[a].loc_prev) {
    const Event& e = g[a];
    if (e.po <= hb[index(e.thread)]) floor = std::max(floor, e.is_write() ? e.co : g.co_position(e.rf));
  }
  return floor;
}

bool Rc11::admits(const Graph& g, EventId changed) {
  if (g.sc_accesses() + g.sc_fences() < 2) return true;
  if (g.sc_fences() == 0 && (g.weak_accesses() == 0 || g[changed].mode != Mode::sc)) return true;
  find_sc_events(g);
  if (g.sc_fences() == 0) return !on_cycle(g, changed);
  colour_.assign(nodes_.size(), 0);
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    if (colour_[n] == 0 && reaches_grey(g, n)) return false;
  }
  return true;
}

void Rc11::find_sc_events(const Graph& g) {
  nodes_.clear();
  for (std::size_t i = 0; i < g.size(); ++i) {
    const Event& e = g[EventId(i)];
    if (e.mode == Mode::sc && (e.is_access() || e.kind == EventKind::fence)) nodes_.push_back(EventId(i));
  }
}

bool Rc11::on_cycle(const Graph& g, EventId e) {
  colour_.assign(nodes_.size(), 0);
  stack_.clear();
  for (EventId from = e;;) {
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      if (colour_[n] != 0 || !psc(g, from, nodes_[n])) continue;
      if (nodes_[n] == e) return true;
      colour_[n] = 1;
      stack_.push_back(n);
    }
    if (stack_.empty()) return false;
    from = nodes_[stack_.back()];
    stack_.pop_back();
  }
}

bool Rc11::reaches_grey(const Graph& g, std::size_t node) {
  enum : uint8_t { kWhite, kGrey, kBlack };
  colour_[node] = kGrey;
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    if (colour_[n] == kBlack || !psc(g, nodes_[node], nodes_[n])) continue;
    if (colour_[n] == kGrey || reaches_grey(g, n)) return true;
  }
  colour_[node] = kBlack;
  return false;
}

}  // namespace heddle
