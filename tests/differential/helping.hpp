// The comparison of an explorer that leaves help out with the brute force, in which it is done (Theorem 3.4 of
// SPORE): if an execution without annotations has an error, one with them has an error or is
// wrongly annotated. Only this direction holds: without the help, a thread may see less than it could. With symmetry on
// top of it the same, and of the executions that help leaves, each class up to exchange of twins is explored once.
#pragma once

#include <optional>
#include <string>

#include "differential/candidate.hpp"

namespace heddle::differential {

// Marks left out, help done.
Script without_annotations(const Script&);

// A thread with a helped cas, one or two that help, and others that get in the way: right annotations and nearly right
// ones, with assertions.
Script generate_helping(uint64_t seed);

struct HelpingTally {
  bool error = false;    // without annotations
  bool refused = false;  // an annotation is wrong
};

// What is wrong, in words; empty if nothing. Nothing at all if the brute force takes more than `limit` candidates.
std::optional<std::string> helping_disagreement(const Script&, axioms::Model, uint64_t limit, HelpingTally* = nullptr);

}  // namespace heddle::differential
