// Races of a thread that waits.
//
// optimal-dpor-await explores an await only when its condition holds. In the program the thread reads the location
// again and again until then, and each of these reads may race with a plain write. An await that comes after the step
// `arrival` of its thread may have found any write of its location from the last one that happens before `arrival` to
// the last one before the await itself: there is an interleaving of the class in which it stands right behind it. All
// that the thread does later happens after that read.
#pragma once

#include <optional>

#include "explore/await/reversals.hpp"
#include "explore/judge/races.hpp"

namespace heddle {

// Of a maximal interleaving. In the graph, each thread that waits has its read as its last event.
std::optional<GraphError> find_race_of_waiting(const Graph& g, const ConflictOrder& order,
                                               const std::vector<Detail>& details, Machine& machine);

}  // namespace heddle
