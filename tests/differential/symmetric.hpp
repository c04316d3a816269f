// The comparison of an explorer that uses symmetry with the brute force on one script.
//
//  - Complete executions: of each class under exchanges of twins exactly one is explored, and no class is missing.
//  - Blocked executions: each that is explored is one of the brute force's up to exchange, none twice.
//  - A failed assertion, a data race, a deadlock: reported iff there is one.
//  - If symmetry reduction is refused, some execution has a cycle of po ∪ rf ∪ co, or joins tell twins apart. That is
//    all that is asked then.
#pragma once

#include <optional>
#include <string>

#include "differential/candidate.hpp"

namespace heddle::differential {

struct SymmetricTally {
  uint64_t classes = 0;     // of complete executions
  uint64_t executions = 0;  // complete ones, all
  bool refused = false;
};

// What is wrong, in words; empty if nothing. Nothing at all if the brute force takes more than `limit` candidates.
std::optional<std::string> symmetric_disagreement(const Script&, axioms::Model, uint64_t limit,
                                                  SymmetricTally* = nullptr);

// The same string for all executions that differ by an exchange of twins only.
std::string symmetric_form(const Script&, const axioms::Execution&);

// The execution without the events that are not kept. What is kept must be closed under po and rf.
axioms::Execution restricted(const axioms::Execution&, const std::vector<bool>& keep);

}  // namespace heddle::differential
