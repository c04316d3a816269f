// Sequential consistency.
//
//   SC          sb ∪ asw ∪ rf ∪ co ∪ rb is acyclic
//   ATOMICITY   rf;rmw;co⁻¹;co⁻¹ is irreflexive: no write between the two halves of an rmw
#include "models/axioms/axioms.hpp"

namespace heddle::axioms {

std::string_view violated_sc(const Relations& x) {
  if (!atomic(x)) return "ATOMICITY";
  if (!acyclic(x.sb | x.asw | x.rf | x.co | x.rb)) return "SC";
  return {};
}

}  // namespace heddle::axioms
