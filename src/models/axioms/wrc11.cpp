// WRC11 (RCMC §5): RC11 (rc11.cpp) without co. What the axioms say of co is said of
//
//   co_weak = ⋃ₓ [Wₓ];(hb ∪ rfₓ)⁺;[Wₓ]         the paper's mo_weak
//   rb_weak = rf⁻¹;co_weak
//
//   SBRF, COHERENCE, SC-ACYCLICITY: as in RC11
//   ATOMICITY   rf;rmw;co_weak⁻¹;co_weak⁻¹ is irreflexive, and no two rmws read from the same write
//
// The second half of ATOMICITY follows from the first when co is total. The paper does not repeat it for WRC11, but its
// exploration keeps it (Def. 4.1 (2), §4.4), and its counts need it (ainc: n! executions).
#include "models/axioms/axioms.hpp"

namespace heddle::axioms {

// Execution::co is left out of account.
Relation weak_co(const Relations& x, const Relation& hb) {
  Relation co(x.E.universe());
  Set done(x.E.universe());
  for (std::size_t e = 0; e < x.E.universe(); ++e) {
    if (!x.W[e] || done[e]) continue;
    Set here(x.E.universe());  // the accesses of e's location
    for (std::size_t f = 0; f < x.E.universe(); ++f) {
      if (x.same_loc(e, f)) here.add(f);
    }
    done = done | here;
    const Set writes = x.W & here;
    co = co | seq(writes, plus(hb | seq(writes, x.rf)), writes);
  }
  return co;
}

std::string_view violated_wrc11(const Relations& from) {
  Relations x = from;
  const Relation happens_before = hb(x);
  x.co = weak_co(x, happens_before);
  x.rb = seq(inverse(x.rf), x.co);
  if (!irreflexive(plus(x.sb | x.asw | x.rf))) return "SBRF";
  const Relation follows = seq(x.rf, x.rmw);
  if (!atomic(x) || !empty(seq(inverse(follows), follows) - identity(x.E))) return "ATOMICITY";
  const Relation extended = eco(x);
  if (!irreflexive(seq(happens_before, extended))) return "COHERENCE";
  if (!x.sc.empty() && !acyclic(psc(x, happens_before, extended))) return "SC-ACYCLICITY";
  return {};
}

}  // namespace heddle::axioms
