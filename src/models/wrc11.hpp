// WRC11 (RCMC §5): RC11 without co. What RC11 says of co is said of
//
//   co_weak = ⋃ₓ [Wₓ];(hb ∪ rfₓ)+;[Wₓ]       the paper's mo_weak       rb_weak = rf⁻¹ ; co_weak
//
//   (COHERENCE)     hb ; (co_weak ∪ rf ∪ rb_weak)+ is irreflexive             readable
//   (SC-ACYCLICITY) psc is acyclic                                            admits
//   (ATOMICITY)     nothing is co_weak-between the write that an rmw reads    readable
//                   from and its own; no two rmws read from one write         the explorer
//   (SBRF)          po ∪ rf is acyclic                                        by construction
//
// A new read r is po-last. It violates coherence iff it reads from a write w that is co_weak-before one that r has
// seen: w' hb r, or w' rf r' hb r (the other shapes of hb;eco are cycles of po ∪ rf). If it is an rmw's, a write
// between w and the rmw's own would be such a w' or co_weak-before one. A new write changes nothing: nothing is after
// it.
//
// There is no floor here, so only an explorer that asks for each write can use this model.
#pragma once

#include <vector>

#include "models/model.hpp"
#include "models/psc.hpp"

namespace heddle {

// co_weak of a graph, for Psc too. What is before a write in (hb ∪ rfₓ)* is closed under hb, so a clock holds it.
class WeakOrder {
 public:
  // To be called when the graph has changed.
  void start(const Graph& g);

  bool co_weak(const Graph& g, EventId a, EventId b);
  bool before_write(const Graph& g, EventId a, EventId w);
  bool between_fences(const Graph& g, LocId l, EventId f, EventId h);

 private:
  bool eco(const Graph& g, EventId a, EventId b);
  const uint32_t* prefix(const Graph& g, EventId w);

  std::size_t stride_ = 0;
  std::vector<uint8_t> known_;    // whether the clock of a write is there
  std::vector<uint32_t> clocks_;  // stride_ for each event
};

class Wrc11 {
 public:
  static constexpr ModelKind kKind = ModelKind::wrc11;
  static constexpr Sync kSync = kSyncByMode;

  // To be called when the graph has changed, before the questions below.
  void start(const Graph& g) { order_.start(g); }
  // Whether r, the po-last read of its thread, may read from w (a write of its location or kInit).
  bool readable(const Graph& g, EventId r, EventId w);
  bool co_weak(const Graph& g, EventId a, EventId b) { return order_.co_weak(g, a, b); }

  bool admits(const Graph& g, EventId changed) { return psc_.acyclic(g, changed); }

 private:
  WeakOrder order_;
  Psc<WeakOrder> psc_;
};

static_assert(MemoryModel<Wrc11>);

}  // namespace heddle
