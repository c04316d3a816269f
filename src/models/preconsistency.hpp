// RC11 and WRC11 in the two parts that rcmc asks for (model.hpp): preconsistency here, and psc by itself.
#pragma once

#include <algorithm>
#include <vector>

#include "models/coherence.hpp"
#include "models/model.hpp"
#include "models/wrc11.hpp"

namespace heddle {

struct PreconsistentRc11 {
  static constexpr ModelKind kKind = ModelKind::rc11;
  static constexpr Sync kSync = kSyncByMode;
  static constexpr bool kCo = true;

  static EventId sources(const Graph& g, EventId r, std::vector<EventId>& out) {
    const uint32_t floor = hb_floor(g, r);
    EventId w = g.co_last(g[r].loc);
    for (out.push_back(w); g.co_position(w) > floor; out.push_back(w)) w = g[w].co_prev;
    return w;
  }

  static bool coherent(const Graph& g, EventId r, EventId w) { return hb_floor(g, r) <= g.co_position(w); }

  static void start(const Graph&) {}
  static bool co(const Graph& g, EventId a, EventId b) { return g.co_position(a) < g.co_position(b); }

  static bool is_maximal(const Graph& g, EventId e) {
    return g[e].is_write() ? g[e].co_next == kNoEvent : g[e].rf == g.co_last(g[e].loc);
  }

  static bool waits_for_ever(const Graph& g, EventId r) { return reads_latest(g, r); }

  Psc<TotalOrder> psc;
};

static_assert(PreconsistentModel<PreconsistentRc11>);

struct PreconsistentWrc11 {
  static constexpr ModelKind kKind = ModelKind::wrc11;
  static constexpr Sync kSync = kSyncByMode;
  static constexpr bool kCo = false;

  EventId sources(const Graph& g, EventId r, std::vector<EventId>& out) {
    const LocId l = g[r].loc;
    const EventId before = g.predecessor(r);
    EventId seen = kInit;
    model.start(g);
    if (model.readable(g, r, kInit)) out.push_back(kInit);
    for (EventId w = g.co_last(l); w != kInit && w != kNoEvent;) {
      const bool readable = model.readable(g, r, w);
      if (readable) {
        out.push_back(w);
        if (seen == kInit && before != kNoEvent && has_seen(g, before, l, w)) seen = w;
      }
      // Where one of a thread's writes is not readable, or has been seen, those before it are not readable.
      const bool last = !readable || (before != kNoEvent && g.in(g.hb(before), w));
      w = last ? write_of_others(g, w) : g[w].co_prev;
    }
    HEDDLE_ASSERT(std::ranges::find(out, seen) != out.end());
    return seen;
  }

  // The latest write before w that is not of its thread. co is the order of addition here.
  static EventId write_of_others(const Graph& g, EventId w) {
    EventId x = g.others_before(w);
    while (x != kNoEvent && (!g[x].is_write() || g[x].thread == g[w].thread)) {
      x = g[x].thread == g[w].thread ? g.others_before(x) : g[x].loc_prev;
    }
    return x;
  }

  static bool has_seen(const Graph& g, EventId e, LocId l, EventId w) {
    const Prefix hb = g.hb(e);
    if (g.in(hb, w)) return true;
    for (EventId x = g.readers(l, w); x != kNoEvent; x = g[x].next_reader) {
      if (g.in(hb, x)) return true;
    }
    return false;
  }

  static bool coherent(const Graph&, EventId, EventId) { return true; }
  void start(const Graph& g) { model.start(g); }
  bool co(const Graph& g, EventId a, EventId b) { return model.co_weak(g, a, b); }

  // co_weak is part of sbrf.
  static bool is_maximal(const Graph& g, EventId e) {
    if (g[e].is_write()) return true;
    const EventId rf = g[e].rf;
    const EventId last = g.co_last(g[e].loc);
    if (rf == kInit) return last == kInit;
    for (EventId w = last; w != rf; w = g[w].co_prev) {
      if (g.cb(rf, w)) return false;
    }
    return !is_before_older_write(g, rf);
  }

  // Whether a write that was added before w comes after it: by a read that has been revisited.
  static bool is_before_older_write(const Graph& g, EventId w) {
    for (EventId x = write_of_others(g, w); x != kNoEvent; x = g[x].loc_prev) {
      if (g[x].is_write() && g.cb(w, x)) return true;
    }
    return false;
  }

  // Each write that may be the last one leaves the read waiting. A write that is co_weak-after another is later in each
  // co; of those that are not ordered, any may be the last.
  static bool waits_for_ever(const Graph& g, EventId r) {
    const Event& e = g[r];
    WeakOrder order;
    order.start(g);
    for (EventId w = g.accesses(e.loc); w != kNoEvent; w = g[w].loc_prev) {
      if (!g[w].is_write() || w == e.rf) continue;
      if (order.co_weak(g, e.rf, w)) return false;
      if (satisfied(e, g[w].value) && !order.co_weak(g, w, e.rf)) return false;
    }
    return true;
  }

  Wrc11 model;
  Psc<WeakOrder> psc;
};

static_assert(PreconsistentModel<PreconsistentWrc11>);

}  // namespace heddle
