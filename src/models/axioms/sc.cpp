// Sequential consistency, and what is common to all models.
//
//   SC          sb ∪ asw ∪ rf ∪ co ∪ rb is acyclic
//   ATOMICITY   rf;rmw;co⁻¹;co⁻¹ is irreflexive: no write between the two halves of an rmw
#include "models/axioms/axioms.hpp"

namespace heddle::axioms {

std::string_view violated_sc(const Relations& x) {
  if (!irreflexive(seq(x.rf, x.rmw, inverse(x.co), inverse(x.co)))) return "ATOMICITY";
  if (!acyclic(x.sb | x.asw | x.rf | x.co | x.rb)) return "SC";
  return {};
}

Relation hb_sc(const Relations& x) { return plus(x.sb | x.asw | seq(x.W, x.rlx, x.rf, x.rlx, x.R)); }

std::string_view violated(Model m, const Execution& x) {
  const Relations relations(x);
  return m == Model::sc ? violated_sc(relations) : violated_rc11(relations);
}

Relation hb(Model m, const Execution& x) {
  const Relations relations(x);
  return m == Model::sc ? hb_sc(relations) : hb_rc11(relations);
}

Relation races(Model m, const Execution& execution) {
  const Relations x(execution);
  const Relation hb = m == Model::sc ? hb_sc(x) : hb_rc11(x);
  Set plain(x.E.universe());
  for (std::size_t e = 0; e < x.E.universe(); ++e) {
    if (!x.rlx[e]) plain.add(e);
  }
  const Relation with_write = seq(x.W, x.same_loc) | seq(x.same_loc, x.W);
  const Relation with_plain = seq(plain, x.same_loc) | seq(x.same_loc, plain);
  return (with_write & with_plain) - identity(x.E) - hb - inverse(hb);
}

}  // namespace heddle::axioms
