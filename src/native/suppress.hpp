// Data races that are no errors (--suppress, core/suppression.hpp).
//
// What must not happen is that a race passes and the racing accesses stay what they were: done on memory, so that what
// they read depends on the schedule. So the two accesses of a suppressed race become actions, like atomic accesses,
// with all values to read that the memory model has for them. Which accesses those are is known only when the race
// shows: then their places are shown from the next exploration on, and the present one ends (Stopped). When no
// suppressed race has a part that is no action, all has been explored. The race is looked for among the actions as
// before, and each time asked about here, because other races of the same places may not be suppressed.
//
// Why the actions of an execution still do not depend on the schedule: take the accesses of shown places for atomic
// ones. All others are plain, and each race of theirs is an error or shows their place.
#pragma once

#include <map>
#include <tuple>
#include <vector>

#include "core/suppression.hpp"
#include "native/threads.hpp"

namespace heddle::suppress {

// All of it is of the whole run, or of an exploration.
struct State {
  bool show_more = false;                                         // a place is shown (rt.shown) that was not
  std::vector<SuppressedRace> met;                                // in this exploration
  std::map<std::tuple<SiteId, SiteId>, int> by_site;              // the suppression of such a pair, -1: none
  std::map<std::tuple<SiteId, SiteId, Address>, int> by_address;  // likewise, with the global variable
};
extern State state;

void begin();
void end();

inline bool any() { return !rt.options.suppressions.empty(); }

struct Race {
  SiteId site;
  SiteId other;
  Address address;
};
// The number of the suppression that the race is suppressed by; -1 if it is an error.
int suppression(const Race& race);
// Counts it, unless the execution may be none of the program's.
void note(const Race& race, int suppression);
// Shows both places. True if they were shown before.
bool show(const Race& race);

}  // namespace heddle::suppress
