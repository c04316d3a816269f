// Loops of which nobody knows how often they go round: the exploration follows them more and more often.
//
// The first exploration lets them go round kMany times. That is enough for most, which end because the other threads
// do; then nothing was done twice. As soon as one wants more, that exploration is given up, and others follow in which
// each loop may go round 1, 2, 4, ... times: each explores all executions in which no loop goes round more often than
// it may. A loop that was cut may go round twice as often next time. When none was cut, all executions have been seen.
// So an error is found with few rounds, and a loop without end does not keep the others from being explored.
//
// Counted spins (frontend/spins.hpp) are explored with their rounds skipped. If that turns out not to be allowed for
// one of them, the exploration starts again and follows each of its rounds. Likewise for rounds that hold a mutex in
// passing, which a trylock may see (library/mutex.cpp), and for races that are suppressed (native/suppress.hpp).
#pragma once

#include <functional>

#include "core/result.hpp"
#include "explore/request/request.hpp"

namespace heddle {

using ExploreOnce = std::function<Result(const Request&)>;

// A part of the work has no bounds and skips no rounds: whoever gave it away must not do so either.
Result deepen(Machine& machine, const Request& request, const ExploreOnce& explore_once);

}  // namespace heddle
