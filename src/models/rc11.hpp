// RC11 (RCMC §3.2, SPORE App. D.1).
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

#include "models/coherence.hpp"
#include "models/psc.hpp"
#include "models/sc.hpp"

namespace heddle {

class Rc11 {
 public:
  static constexpr ModelKind kKind = ModelKind::rc11;
  static constexpr Sync kSync = kSyncByMode;
  static constexpr bool kCoAcyclic = false;

  uint32_t floor(const Graph& g, EventId e) { return all_sc(g) ? sc_.floor(g, e) : hb_floor(g, e); }
  bool admits(const Graph& g, EventId changed) { return all_sc(g) || psc_.acyclic(g, changed); }

 private:
  static bool all_sc(const Graph& g) { return g.weak_accesses() == 0 && g.sc_fences() == 0; }

  Sc sc_;  // decides alone when all accesses are sc
  Psc<TotalOrder> psc_;
};

static_assert(CoherentModel<Rc11>);

}  // namespace heddle
