#include "models/axioms/axioms.hpp"

#include <algorithm>

namespace heddle::axioms {

Relation hb_of(Model m, const Relations& x) { return m == Model::ra ? hb_ra(x) : hb(x); }

uint64_t phase_of(const Execution& x, std::size_t arrive, const Relation& hb) {
  Set before(x.events.size());
  for (std::size_t e = 0; e < x.events.size(); ++e) {
    if (hb(e, arrive)) before.add(e);
  }
  const Event& a = x.events[arrive];
  for (uint64_t phase = 0;; ++phase) {
    const Attendance n = attendance(x, a.location, a.places, phase, before);
    if (n.arrived < n.places || n.arrived == 0) return phase;
  }
}

namespace {

// graph/meetings.hpp: phases are what hb makes of them, have no more arrivals than places, and a leave comes when all
// have arrived.
bool meetings_hold(Model m, const Execution& x, const Relations& relations) {
  const auto meets = [](const Event& e) { return e.type == Type::arrive || e.type == Type::leave; };
  if (std::none_of(x.events.begin(), x.events.end(), meets)) return true;
  const Relation happens_before = hb_of(m, relations);
  for (std::size_t e = 0; e < x.events.size(); ++e) {
    const Event& event = x.events[e];
    if (!meets(event)) continue;
    const Attendance n = attendance(x, event.location, event.places, event.phase, relations.E);
    if (event.type == Type::leave && n.arrived != n.places) return false;
    if (event.type == Type::arrive && (n.arrived > n.places || phase_of(x, e, happens_before) != event.phase))
      return false;
  }
  return true;
}

}  // namespace

std::string_view violated(Model m, const Execution& x) {
  const Relations relations(x);
  if (!meetings_hold(m, x, relations)) return "MEETINGS";
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
  const Relation happens_before = hb_of(m, x);
  Set plain(x.E.universe());
  for (std::size_t e = 0; e < x.E.universe(); ++e) {
    if (!x.rlx[e]) plain.add(e);
  }
  const Relation with_write = seq(x.W, x.same_loc) | seq(x.same_loc, x.W);
  const Relation with_plain = seq(plain, x.same_loc) | seq(x.same_loc, plain);
  return (with_write & with_plain) - identity(x.E) - happens_before - inverse(happens_before);
}

}  // namespace heddle::axioms
