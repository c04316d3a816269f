// Optimal-DPOR-Await (optimal-dpor-await §IV, Algorithm 1), under sequential consistency: one interleaving of each
// class of those that differ only in the order of independent steps (await/conflicts.hpp).
//
// An interleaving is extended step by step until no thread can go on. Then its races are reversed
// (await/reversals.hpp): each gives a wakeup sequence, which goes into the wakeup tree of the prefix before the race,
// unless the sleep set there says that it has been explored. The exploration goes back to the longest prefix whose tree
// is not empty, and follows the leftmost branch. After a wakeup sequence no thread sleeps, so that no interleaving is
// given up half way (but see await/tree.hpp for several processes).
//
// An await is no step before its condition holds. So no execution is explored in which a thread waits although it could
// go on later, and one in which a thread waits at the end is a deadlock or livelock of the program.
//
// The interleaving is also an execution graph, in which a read reads from the co-last write: findings, traces and
// observers see what they see of the other algorithms.
//
// Where this departs from the paper:
//  - Choices of the program: see await/conflicts.hpp and await/reversals.hpp.
//  - Data races are judged by the happens-before of C, which is smaller than that of the paper. An rmw that commutes
//    with others synchronises only with those that come before it in each interleaving of the class.
//  - A thread that waits reads its location all the time. So an await is also looked at with each value that it may
//    have found before, where such a read may race.
//  - A thread that fails stops, and the others go on.
#pragma once

#include "explore/request/request.hpp"

namespace heddle {

Result explore_await(Machine&, const Request&);

}  // namespace heddle
