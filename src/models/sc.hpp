// Sequential consistency.
//
//   (SC)        po ∪ rf ∪ co ∪ rb is acyclic          floor
//   (ATOMICITY) rmw ∩ (rb ; co) = ∅                   the explorer
//
// A new event e is po-last, so a cycle through it needs an edge out of e: to the co-successor n of the write that e
// reads from or is placed after. It closes iff n reaches e, i.e. iff n is in the backward closure B of e's predecessor
// (n cannot reach e by the other edges into e without a cycle that was there before). B is closed under
// co-predecessors, so the forbidden writes are those co-before the last one in B. B is closed under po, so a clock
// holds it.
#pragma once

#include <vector>

#include "models/model.hpp"

namespace heddle {

class Sc {
 public:
  static constexpr ModelKind kKind = ModelKind::sc;
  static constexpr Sync kSync = kSyncByMode;
  static constexpr bool kCoAcyclic = true;

  uint32_t floor(const Graph& g, EventId e);
  bool admits(const Graph&, EventId) { return true; }

 private:
  void close(const Graph& g, EventId before);
  void include(const Graph& g, EventId e);
  void visit(const Graph& g, EventId e);

  std::vector<uint32_t> wanted_;  // B, per thread
  std::vector<uint32_t> done_;    // the part of B whose incoming edges have been followed
  bool grown_ = false;
};

static_assert(CoherentModel<Sc>);

}  // namespace heddle
