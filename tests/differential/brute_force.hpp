// All full consistent executions of a script, found without any explorer.
//
// brute_force builds executions event by event, keeps those that are consistent (the models are prefix-closed), and
// remembers what it has seen. A thread before a read may wait for any write that is still to come, so every
// thread before a read is tried. All other events need no choice of the order: in every full execution that extends the
// present one, the next event of a thread before a store, fence, … is that one, and all that it depends on is already
// there; so it is added at once, a store at each place in co.
//
// naive is the semantics of SPORE App. A.2 to the letter, and far slower: every thread by itself, with
// each read returning every value that anybody could write; then all combinations; then every rf and every co; and at
// last the axioms. It shares nothing with brute_force but the steps of a thread and the axioms.
#pragma once

#include "differential/candidate.hpp"

namespace heddle::differential {

// Told of each candidate after a choice, and whether it is consistent. What it was before the choice is.
using OnCandidate = std::function<void(const Candidate&, bool consistent)>;

// Calls `on_full` once for each full consistent execution. Gives up, returning false, after `limit` candidate
// executions.
bool brute_force(const Script&, axioms::Model, uint64_t limit, const OnFull& on_full,
                 const OnCandidate& on_candidate = {});
bool naive(const Script&, axioms::Model, uint64_t limit, const OnFull& on_full);

}  // namespace heddle::differential
