// TSO, the model of x86 and SPARC, in the axiomatic form of Alglave, Maranget and Tautschnig, "Herding cats" (TOPLAS
// 2014) §4: each thread has a FIFO buffer of stores, from which it reads itself first.
//
//   COHERENCE   sb|loc ∪ rf ∪ co ∪ rb is acyclic
//   ATOMICITY   rf;rmw;co⁻¹;co⁻¹ is irreflexive
//   GHB         ppo ∪ drained ∪ rfe ∪ co ∪ rb is acyclic        the order in which accesses reach memory
//
//   ppo     = [R ∪ W];sb;[R ∪ W] \ W × R
//   drained = sb;[D] ∪ [D];sb ∪ asw;sb?      D: sc stores, SC fences, both halves of an rmw,
//                                            a cas that fails, create, join, exit
//   rfe     = rf \ sb                        what a thread reads from its own buffer need not be in memory
//
// Of the modes of accesses only that of an sc store matters: compilers for x86 make it an xchg, or a mov and an mfence.
// (The buffer is FIFO, so it does not matter whether it is emptied before the store too.) Of the fences only the SC
// ones do anything.
#include "models/axioms/axioms.hpp"

namespace heddle::axioms {

std::string_view violated_tso(const Relations& x) {
  if (!atomic(x)) return "ATOMICITY";
  if (!acyclic((x.sb & x.same_loc) | x.rf | x.co | x.rb)) return "COHERENCE";
  const Relation ppo = seq(x.R | x.W, x.sb, x.W) | seq(x.R, x.sb, x.R);
  if (!acyclic(ppo | drained(x) | (x.rf - x.sb) | x.co | x.rb)) return "GHB";
  return {};
}

Relation drained(const Relations& x) {
  const Set D = ((x.F | x.W) & x.sc) | x.locked | x.T;
  return seq(x.sb, D) | seq(D, x.sb) | seq(x.asw, opt(x.sb));
}

}  // namespace heddle::axioms
