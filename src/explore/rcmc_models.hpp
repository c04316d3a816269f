// What rcmc asks of its models: preconsistency, which is all but SC-ACYCLICITY (RCMC Def. 3.7, §5),
// and psc by itself. ATOMICITY and SBRF are the explorer's.
#pragma once

#include <vector>

#include "explore/verdict.hpp"
#include "models/coherence.hpp"
#include "models/wrc11.hpp"

namespace heddle::rcmc {

// Whether a read becomes exclusive if it reads this value: val(w) ∈ exvals(r).
inline bool becomes_exclusive(const Event& r, Value value) {
  if (r.await != Await::none && (value == r.expected) != (r.await == Await::equal)) return false;
  return r.type == ReadType::rmw || (r.type == ReadType::cas && value == r.expected);
}

// RC11.
struct Preconsistent {
  static constexpr bool kCo = true;
  static constexpr WaitsForEver kWaitsForEver = reads_latest;

  // The writes that a new read may read from by COHERENCE; returns one in its sbrf-prefix.
  static EventId sources(const Graph& g, EventId r, std::vector<EventId>& out) {
    const uint32_t floor = hb_floor(g, r);
    EventId w = g.co_last(g[r].loc);
    for (out.push_back(w); g.co_position(w) > floor; out.push_back(w)) w = g[w].co_prev;
    return w;
  }

  // Whether r may read from w, which has just been added.
  static bool coherent(const Graph& g, EventId r, EventId w) { return hb_floor(g, r) <= g.co_position(w); }

  // Whether a is before b in co in all graphs that keep both; `start` comes first.
  static void start(const Graph&) {}
  static bool co(const Graph& g, EventId a, EventId b) { return g.co_position(a) < g.co_position(b); }

  // Whether nothing can follow a new access in psc, so that it is on no cycle.
  static bool is_maximal(const Graph& g, EventId e) {
    return g[e].is_write() ? g[e].co_next == kNoEvent : g[e].rf == g.co_last(g[e].loc);
  }

  Psc<TotalOrder> psc;
};

// WRC11.
struct WeaklyPreconsistent {
  static constexpr bool kCo = false;

  // Each write that may be the last one leaves the read waiting. A write that is co_weak-after another is later in each
  // co; of those that are not ordered, any may be the last.
  static bool waits(const Graph& g, EventId r) {
    const Event& e = g[r];
    WeakOrder order;
    order.start(g);
    for (EventId w = g.accesses(e.loc); w != kNoEvent; w = g[w].loc_prev) {
      if (!g[w].is_write() || w == e.rf) continue;
      if (order.co_weak(g, e.rf, w)) return false;
      const bool satisfies = (g[w].value == e.expected) == (e.await == Await::equal);
      if (satisfies && !order.co_weak(g, w, e.rf)) return false;
    }
    return true;
  }
  static constexpr WaitsForEver kWaitsForEver = waits;

  EventId sources(const Graph& g, EventId r, std::vector<EventId>& out) {
    const LocId l = g[r].loc;
    const EventId before = g.predecessor(r);
    EventId seen = kInit;
    model.start(g);
    if (model.readable(g, r, kInit)) out.push_back(kInit);
    for (EventId w = g.accesses(l); w != kNoEvent; w = g[w].loc_prev) {
      if (!g[w].is_write() || !model.readable(g, r, w)) continue;
      out.push_back(w);
      if (seen == kInit && before != kNoEvent && has_seen(g, before, l, w)) seen = w;
    }
    return seen;
  }

  static bool has_seen(const Graph& g, EventId e, LocId l, EventId w) {
    const auto hb = g.hb(e);
    const auto in_prefix = [&](EventId x) { return g[x].po <= hb[index(g[x].thread)]; };
    if (in_prefix(w)) return true;
    for (EventId x = g.readers(l, w); x != kNoEvent; x = g[x].next_reader) {
      if (in_prefix(x)) return true;
    }
    return false;
  }

  static bool coherent(const Graph&, EventId, EventId) { return true; }
  void start(const Graph& g) { model.start(g); }
  bool co(const Graph& g, EventId a, EventId b) { return model.co_weak(g, a, b); }

  // co_weak is part of sbrf.
  static bool is_maximal(const Graph& g, EventId e) {
    if (g[e].is_write()) return true;
    for (EventId w = g.accesses(g[e].loc); w != kNoEvent; w = g[w].loc_prev) {
      if (g[w].is_write() && w != g[e].rf && (g[e].rf == kInit || g.cb(g[e].rf, w))) return false;
    }
    return true;
  }

  Wrc11 model;
  Psc<WeakOrder> psc;
};

}  // namespace heddle::rcmc
