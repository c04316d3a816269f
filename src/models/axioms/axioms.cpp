#include "models/axioms/axioms.hpp"

namespace heddle::axioms {

std::string_view violated(Model m, const Execution& x) {
  const Relations relations(x);
  switch (m) {
    case Model::sc: return violated_sc(relations);
    case Model::tso: return violated_tso(relations);
    case Model::pso: return violated_pso(relations);
    case Model::ra: return violated_ra(relations);
    case Model::rc11: return violated_rc11(relations);
    case Model::wrc11: return violated_wrc11(relations);
  }
  __builtin_unreachable();
}

bool atomic(const Relations& x) { return irreflexive(seq(x.rf, x.rmw, inverse(x.co), inverse(x.co))); }

Relation races(Model m, const Execution& execution) {
  const Relations x(execution);
  const Relation happens_before = m == Model::ra ? hb_ra(x) : hb(x);
  Set plain(x.E.universe());
  for (std::size_t e = 0; e < x.E.universe(); ++e) {
    if (!x.rlx[e]) plain.add(e);
  }
  const Relation with_write = seq(x.W, x.same_loc) | seq(x.same_loc, x.W);
  const Relation with_plain = seq(plain, x.same_loc) | seq(x.same_loc, plain);
  return (with_write & with_plain) - identity(x.E) - happens_before - inverse(happens_before);
}

}  // namespace heddle::axioms
