// Sequential consistency.
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

std::string_view violated(Model m, const Execution& x) {
  const Relations relations(x);
  return m == Model::sc ? violated_sc(relations) : violated_rc11(relations);
}

}  // namespace heddle::axioms
