// RC11 (papers/rcmc-popl18.md §3.2, papers/spore-pldi24.md App. D.1).
//
//   (COHERENCE)     hb ; eco is irreflexive            floor
//   (SC-ACYCLICITY) psc is acyclic                     admits
//   (ATOMICITY)     rmw ∩ (rb ; co) = ∅                the explorer
//   (SBRF)          po ∪ rf is acyclic                 by construction: an event is added after its porf-prefix
//
//   eco = (rf ∪ co ∪ rb)+
//   sw  = [E⊒rel];([F];po)?;[W⊒rlx];(rf;rmw)*;rf;[R⊒rlx];(po;[F])?;[E⊒acq]     hb = (po ∪ sw)+
//   scb = po ∪ po≠loc;hb;po≠loc ∪ hb|loc ∪ co ∪ rb
//   psc = ([E^sc] ∪ [F^sc];hb?) ; scb ; ([E^sc] ∪ hb?;[F^sc]) ∪ [F^sc];(hb ∪ hb;eco;hb);[F^sc]
//
// The two papers differ in one point: rcmc counts later writes of the releasing thread as part of its release sequence,
// as C++11 did; App. D.1 and C++20 do not. The weaker, newer rule is taken: it allows more, so no bug is missed. A
// thread's start counts as an event without location that its creation happens before.
#pragma once

#include <vector>

#include "models/sc.hpp"

namespace heddle {

class Rc11 {
 public:
  uint32_t floor(const Graph& g, EventId before, LocId l);
  bool admits(const Graph& g, EventId changed);

 private:
  void find_sc_events(const Graph& g);
  bool on_cycle(const Graph& g, EventId e);
  bool reaches_grey(const Graph& g, std::size_t node);

  Sc sc_;                       // decides alone when all accesses are sc
  std::vector<EventId> nodes_;  // the sc events
  std::vector<uint8_t> colour_;
  std::vector<std::size_t> stack_;
};

}  // namespace heddle
