// WRC11 (papers/rcmc-popl18.md §5): RC11 without co. What RC11 says of co is said of
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
// The writes that are co_weak-before w are those in a set that is closed under hb, so a clock holds it. There is no
// floor here, so only an explorer that asks for each write can use this model.
#pragma once

#include <vector>

#include "models/psc.hpp"

namespace heddle {

// For Psc.
struct WeakOrder {
  static bool before_write(const Graph& g, EventId a, EventId w);
  static bool between_fences(const Graph& g, LocId l, EventId f, EventId h);
};

class Wrc11 {
 public:
  static constexpr Graph::Sync kSync = Graph::Sync::by_mode;

  // Whether r, the po-last read of its thread, may read from w (a write of its location or kInit).
  bool readable(const Graph& g, EventId r, EventId w);
  bool admits(const Graph& g, EventId changed) { return psc_.acyclic(g, changed); }

  static bool co_weak(const Graph& g, EventId a, EventId b);

 private:
  Psc<WeakOrder> psc_;
};

}  // namespace heddle
