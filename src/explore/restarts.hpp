// Explorations that start again: the one loop that drops assumptions (machine/assumptions.hpp).
//
//   assume ──► explore once ──► nothing is broken: the result counts
//     ▲                 │
//     └──── drop ◄──────┘ something is broken (Result::broken), or an error has to be confirmed
//
// What an exploration was worth that broke an assumption:
//
//   twins, plain    nothing
//   looks           its errors, and its complete executions.
//   suppressed      its errors. Its executions have fewer actions than those of the next one.
//   own, left_out   its errors, and its complete executions.
//   arrivals        its errors. One of its executions stands for many of the next one.
//   undone          all: its executions are the program's. Those with rounds that take back what they add are left.
//   taken_back      likewise.
//   spins, rounds   all. Each of its executions is one of the next exploration, too.
//   passing         all at the first level. At the second, a trylock may fail for no reason: an error with such a
//                   trylock does not count (is_made_up), and the executions are not the program's. Without one, the
//                   absence of errors counts.
//
// Rounds. The first exploration lets loops without a known bound go round kMany times. That is enough for most, which
// end because the other threads do; then nothing was done twice. At the first loop that wants more, that exploration is
// given up. The next ones let each loop go round 1, 2, 4, … times, and each explores all executions in which no loop
// goes round more often than it may. A loop that was cut may go round twice as often next time. When no loop was cut,
// all executions have been seen. So an error is found with few rounds, and a loop without end does not keep the others
// from being explored.
#pragma once

#include "core/result.hpp"
#include "explore/request/request.hpp"
#include "machine/machine.hpp"

namespace heddle {

// Explores again and again, until nothing that was assumed is broken. request: not a part.
Result explore_until_it_holds(Machine& machine, const Request& request, const ExploreOnce& explore_once);

}  // namespace heddle
