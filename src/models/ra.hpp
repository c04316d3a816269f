// RA: release/acquire (Lahav, Giannarakis, Vafeiadis, POPL 2016; SPORE §3.2), which is RC11 for
// programs whose atomic accesses are all release or acquire: a weaker mode counts as that, and so does sc.
//
//   (COHERENCE) hb ; eco is irreflexive                                     floor
//   (SC-FENCES) [F^sc] ; (hb ∪ hb;eco;hb) ; [F^sc] is acyclic               admits
//   (ATOMICITY) rmw ∩ (rb ; co) = ∅                                         the explorer
//   (SBRF)      po ∪ rf is acyclic                                          by construction
//
//   hb = (po ∪ [W⊒rlx];rf;[R⊒rlx])+
//
// SC-FENCES is what is left of RC11's psc when no access is sc. Release and acquire fences have nothing to add. Plain
// accesses do not synchronise.
#pragma once

#include "models/coherence.hpp"
#include "models/model.hpp"
#include "models/psc.hpp"

namespace heddle {

class Ra {
 public:
  static constexpr ModelKind kKind = ModelKind::ra;
  static constexpr uint8_t kAtomic = Sync::set({Mode::rlx, Mode::acq, Mode::rel, Mode::acqrel, Mode::sc});
  static constexpr Sync kSync{kAtomic, kAtomic};
  static constexpr bool kCoAcyclic = false;

  uint32_t floor(const Graph& g, EventId e) { return hb_floor(g, e); }
  bool admits(const Graph& g, EventId) { return psc_.fences_acyclic(g); }

 private:
  Psc<TotalOrder> psc_;
};

static_assert(CoherentModel<Ra>);

}  // namespace heddle
