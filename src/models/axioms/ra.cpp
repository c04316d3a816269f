// RA: release/acquire (Lahav, Giannarakis, Vafeiadis, POPL 2016; SPORE §3.2): RC11 for programs whose
// atomic accesses are all release or acquire. A weaker mode counts as that, and so does SC.
//
//   SBRF        (sb ∪ asw ∪ rf)⁺ is irreflexive
//   COHERENCE   hb;eco is irreflexive, where hb = (sb ∪ asw ∪ [W⊒rlx];rf;[R⊒rlx])⁺
//   ATOMICITY   rf;rmw;co⁻¹;co⁻¹ is irreflexive
//   SC-FENCES   [Fˢᶜ];(hb ∪ hb;eco;hb);[Fˢᶜ] is acyclic: what is left of RC11's psc when no access is SC
//
// Release and acquire fences have nothing to add.
#include "models/axioms/axioms.hpp"

namespace heddle::axioms {

Relation hb_ra(const Relations& x) { return plus(x.sb | x.asw | seq(x.W & x.rlx, x.rf, x.R & x.rlx)); }

std::string_view violated_ra(const Relations& x) {
  if (!irreflexive(plus(x.sb | x.asw | x.rf))) return "SBRF";
  if (!atomic(x)) return "ATOMICITY";
  const Relation hb = hb_ra(x);
  const Relation extended = eco(x);
  if (!irreflexive(seq(hb, extended))) return "COHERENCE";
  const Set fence = x.F & x.sc;
  if (!fence.empty() && !acyclic(seq(fence, hb | seq(hb, extended, hb), fence))) return "SC-FENCES";
  return {};
}

}  // namespace heddle::axioms
