// All interleavings of a script, up to the order of independent steps: what --algorithm await has to explore.
//
// Nothing of the explorer is used here, nor of execution graphs: memory is an array, an await is a step that is not
// there until its condition holds, and a class is the list of the threads' steps and of the ordered pairs of
// conflicting ones.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "explore/explore.hpp"
#include "machine/script/script.hpp"

namespace heddle::differential {

struct Classes {
  std::set<std::string> complete;
  std::set<std::string> blocked;  // without deadlocks
  std::set<std::string> deadlocks;
  std::set<std::string> errors;

  uint64_t size() const { return complete.size() + blocked.size() + deadlocks.size() + errors.size(); }
};

// By enumeration; nothing if it takes more than `limit` steps.
std::optional<Classes> enumerate_classes(const Script&, bool commute, uint64_t limit);

// The script, with `unused` set for each rmw whose result no later instruction looks at.
Script without_dead_results(Script);

struct AwaitTally {
  uint64_t executions = 0;
  uint64_t classes = 0;  // of complete ones, with rmws that commute
  bool blocked = false, error = false, deadlock = false, race = false;
};

// What await gets wrong; nothing if that takes too long. Each class exactly once, complete or blocked; an error, a
// deadlock, a race iff there is one. Without rmws that commute it must also agree with the literal axioms, and count as
// many executions as spore. Where the script is too large to enumerate, only that.
std::optional<std::string> await_disagreement(const Script&, uint64_t limit, AwaitTally* tally = nullptr);

}  // namespace heddle::differential
