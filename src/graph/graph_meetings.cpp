// Meetings in a graph: graph/meetings.hpp.
#include <algorithm>

#include "graph/graph.hpp"

namespace heddle {

void Graph::enter_meeting(EventId id) {
  Event& e = events_[index(id)];
  if (e.kind != EventKind::arrive && e.kind != EventKind::look) return;
  e.loc_prev = meetings_.last(meeting(e));
  meetings_.set_last(meeting(e), id);
}

Gathering Graph::gathered(Meeting m, Prefix prefix) const {
  // All phases but the last one that is known are full.
  uint64_t phase = 0;
  for (EventId a = last_at(m); a != kNoEvent; a = (*this)[a].loc_prev) {
    if ((*this)[a].kind == EventKind::arrive && in(prefix, a)) phase = std::max(phase, (*this)[a].value.lo);
  }
  uint64_t places = m.places;
  uint64_t arrived = 0;
  for (EventId a = last_at(m); a != kNoEvent; a = (*this)[a].loc_prev) {
    const Event& e = (*this)[a];
    if (e.kind != EventKind::arrive || !in(prefix, a)) continue;
    HEDDLE_ASSERT(e.value.lo <= phase);
    if (e.value.lo == phase) {
      arrived += e.operand.lo;
    } else {
      places -= e.operand.hi;
    }
  }
  return arrived != 0 && arrived >= places ? Gathering{phase + 1, 0} : Gathering{phase, arrived};
}

bool Graph::is_full(Meeting m, uint64_t phase) const {
  uint64_t places = m.places;
  uint64_t arrived = 0;
  for (EventId a = last_at(m); a != kNoEvent; a = (*this)[a].loc_prev) {
    const Event& e = (*this)[a];
    if (e.kind != EventKind::arrive) continue;
    if (e.value.lo == phase) arrived += e.operand.lo;
    if (e.value.lo < phase) places -= e.operand.hi;
  }
  return arrived >= places;
}

bool Graph::is_crowded(EventId id) const {
  const Event& e = (*this)[id];
  HEDDLE_ASSERT(e.kind == EventKind::arrive || e.kind == EventKind::look);
  uint64_t places = e.expected.lo;
  uint64_t arrived = 0;
  for (EventId a = last_at(meeting(e)); a != kNoEvent; a = (*this)[a].loc_prev) {
    const Event& other = (*this)[a];
    if (a != id && (e.kind == EventKind::look) != (other.kind == EventKind::look) && !hb(a, id) && !hb(id, a))
      return true;
    if (other.kind != EventKind::arrive) continue;
    if (other.value.lo == e.value.lo) arrived += other.operand.lo;
    if (other.value.lo < e.value.lo) places -= other.operand.hi;
  }
  return e.kind == EventKind::arrive && arrived > places;
}

}  // namespace heddle
