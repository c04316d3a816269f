// PSO: TSO (tso.cpp) with a buffer for each location, so that stores to different locations reach memory in any order,
// unless the program asks for one: a release store waits for the stores before it, and a release fence (SPARC's
// stbar) stands between those before and those after it.
//
//   COHERENCE, ATOMICITY, drained, rfe: as in TSO
//   GHB         ppo ∪ drained ∪ rfe ∪ co ∪ rb is acyclic
//
//   ppo = [R];sb;[R ∪ W] ∪ [W];sb;[W⊒rel] ∪ [W];sb;[F⊒rel];sb;[W]
//
// Stores of a thread to one location are ordered by co.
#include "models/axioms/axioms.hpp"

namespace heddle::axioms {

std::string_view violated_pso(const Relations& x) {
  if (!atomic(x)) return "ATOMICITY";
  if (!acyclic((x.sb & x.same_loc) | x.rf | x.co | x.rb)) return "COHERENCE";
  const Relation ppo = seq(x.R, x.sb, x.R | x.W) | seq(x.W, x.sb, x.W & x.rel) | seq(x.W, x.sb, x.F & x.rel, x.sb, x.W);
  if (!acyclic(ppo | drained(x) | (x.rf - x.sb) | x.co | x.rb)) return "GHB";
  return {};
}

}  // namespace heddle::axioms
