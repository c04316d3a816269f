// RC11: RCMC §3.2, Def. 3.7, with one change that the newer paper and C++20 share
// (SPORE App. D.1): a release sequence is continued by rmws only, not by later writes of the same
// thread.
//
//   SBRF           (sb ∪ asw ∪ rf)⁺ is irreflexive
//   COHERENCE      hb;eco is irreflexive
//   ATOMICITY      rf;rmw;co⁻¹;co⁻¹ is irreflexive
//   SC-ACYCLICITY  psc is acyclic
//
// COMPLETENESS and VALID MO hold for every Execution that is not `malformed`. How asw enters: execution.hpp.
//
// psc is that of RCMC §3.2.4 (and of the original RC11). App. D.1 has po;hb;po where this has
// po|≠loc;hb;po|≠loc, which is not equivalent but stronger: it orders two SC accesses also when the path leaves the
// first one by an access of the same location, as in  x =sc 1; x =rel 2 ‖ r = x acq (reads 2); s = y sc.
#include "models/axioms/axioms.hpp"

namespace heddle::axioms {
namespace {

// sw = [E⊒rel];([F];sb)?;[W⊒rlx];(rf;rmw)*;rf;[R⊒rlx];(sb;[F])?;[E⊒acq]
Relation synchronises_with(const Relations& x) {
  const Relation release = seq(seq(x.rel, opt(seq(x.F, x.sb))), x.W, x.rlx);
  const Relation sequence = star(seq(x.rf, x.rmw));
  const Relation acquire = seq(seq(x.R, x.rlx, opt(seq(x.sb, x.F))), x.acq);
  return seq(release, sequence, x.rf, acquire);
}

}  // namespace

Relation hb(const Relations& x) { return plus(x.sb | x.asw | synchronises_with(x)); }

//   po  = (sb ∪ asw)⁺
//   scb = po ∪ po|≠loc;hb;po|≠loc ∪ hb|loc ∪ co ∪ rb
//   psc = ([Eˢᶜ] ∪ [Fˢᶜ];hb?);scb;([Eˢᶜ] ∪ hb?;[Fˢᶜ]) ∪ [Fˢᶜ];(hb ∪ hb;eco;hb);[Fˢᶜ]
Relation psc(const Relations& x, const Relation& hb, const Relation& eco) {
  const Relation po = plus(x.sb | x.asw);
  const Relation po_other_loc = po - x.same_loc;
  const Relation scb = po | seq(po_other_loc, hb, po_other_loc) | (hb & x.same_loc) | x.co | x.rb;
  const Set fence = x.F & x.sc;
  const Relation from = identity(x.sc) | seq(fence, opt(hb));
  const Relation to = identity(x.sc) | seq(opt(hb), fence);
  return seq(from, scb, to) | seq(fence, hb | seq(hb, eco, hb), fence);
}

std::string_view violated_rc11(const Relations& x) {
  if (!irreflexive(plus(x.sb | x.asw | x.rf))) return "SBRF";
  if (!atomic(x)) return "ATOMICITY";
  const Relation happens_before = hb(x);
  const Relation extended = eco(x);
  if (!irreflexive(seq(happens_before, extended))) return "COHERENCE";
  if (!x.sc.empty() && !acyclic(psc(x, happens_before, extended))) return "SC-ACYCLICITY";
  return {};
}

}  // namespace heddle::axioms
