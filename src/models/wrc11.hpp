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

// co_weak of a graph, for Psc too. What is before a write in (hb ∪ rfₓ)* is closed under hb, so a clock holds it. It
// does not change as long as the write is there, so the clocks are kept from one question to the next, with the serial
// number of the event that they are for; likewise what a read may not read.
class WeakOrder {
 public:
  // To be called when the graph has changed, or is another one of the same run.
  void start(const Graph& g);

  bool co_weak(const Graph& g, EventId a, EventId b);
  bool before_write(const Graph& g, EventId a, EventId w);
  bool between_fences(const Graph& g, LocId l, EventId f, EventId h);
  // Whether r, the po-last read of its thread, may read from w (a write of its location or kInit): w is not co_weak-
  // before a write that r has seen.
  bool readable(const Graph& g, EventId r, EventId w);

 private:
  bool eco(const Graph& g, EventId a, EventId b);
  void add(uint32_t* clock, const uint32_t* more) const;
  const uint32_t* prefix(const Graph& g, EventId w);
  void add_before(const Graph& g, uint32_t* clock, EventId w);
  void add_hidden(const Graph& g, uint32_t* clock, EventId x);
  // The writes that are not readable for r: a clock, and then whether kInit is not.
  const uint32_t* hidden(const Graph& g, EventId r);
  void find_hidden(const Graph& g, EventId r, Prefix hb, uint32_t* clock);
  bool is_hidden(const Graph& g, EventId r, const uint32_t* clock);
  bool knows_the_same(const Graph& g, EventId access, EventId event) const;

  std::size_t stride_ = 0;
  std::vector<uint64_t> known_;       // of each event, the serial number for which there is a prefix
  std::vector<uint32_t> clocks_;      // stride_ for each event
  std::vector<uint64_t> seen_known_;  // the same for `hidden`
  std::vector<uint32_t> seen_;        // stride_ + 1 for each event
};

class Wrc11 {
 public:
  static constexpr ModelKind kKind = ModelKind::wrc11;
  static constexpr Sync kSync = kSyncByMode;

  // To be called when the graph has changed, before the questions below.
  void start(const Graph& g) { order_.start(g); }
  // Whether r, the po-last read of its thread, may read from w (a write of its location or kInit).
  bool readable(const Graph& g, EventId r, EventId w) { return order_.readable(g, r, w); }
  bool co_weak(const Graph& g, EventId a, EventId b) { return order_.co_weak(g, a, b); }

  bool admits(const Graph& g, EventId changed) { return psc_.acyclic(g, changed); }

 private:
  WeakOrder order_;
  Psc<WeakOrder> psc_;
};

static_assert(MemoryModel<Wrc11>);

}  // namespace heddle
