// The comparison of an explorer with the brute force on one script.
//
//  - Complete executions: the same set, each explored once. (rcmc may explore some again if there are rmws or SC
//    accesses; with count_duplicates it counts each once. Without psc it explores more, but finds the same errors.)
//  - Blocked executions: each that the explorer reports is one of the brute force's, none twice. (Some may be left
//    out: a thread that waits for a value need only be seen with the latest one.)
//  - A failed assertion, a data race, a deadlock: reported iff there is one.
//
// An explorer may end an execution at its first error, so of a program with a failed assertion or a race it is only
// asked that it reports one of them, and that nothing is made up.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "differential/candidate.hpp"
#include "differential/collect.hpp"

namespace heddle::differential {

struct Reference {
  std::set<std::string> complete;  // canonical forms
  std::set<std::string> blocked;
  bool error = false;
  bool deadlock = false;
  bool race = false;
  bool crowded = false;  // more may arrive in a phase than there are places
};

// By brute force; nothing if it takes more than `limit` candidates.
std::optional<Reference> reference(const Script&, axioms::Model, uint64_t limit);

// What an explorer gets wrong, in words; empty if nothing.
std::string disagreement(const Script&, axioms::Model, const Reference&, Algorithm = Algorithm::spore);

// The same, with the brute force; nothing if that takes too long. Spore cannot explore WRC11: weak.hpp instead.
std::optional<std::string> disagreement(const Script&, axioms::Model, uint64_t limit, Algorithm = Algorithm::spore);

}  // namespace heddle::differential
