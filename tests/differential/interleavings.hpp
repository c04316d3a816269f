// All interleavings of a script, up to the order of independent steps: what --algorithm await has to explore.
//
// A class is the list of the threads' steps and of the ordered pairs of conflicting ones.
#pragma once

#include <optional>
#include <string>

#include "differential/interleaved.hpp"

namespace heddle::differential {

// By enumeration; nothing if it takes more than `limit` steps.
std::optional<Forms> enumerate_classes(const Script&, bool commute, uint64_t limit);

// The script, with `unused` set for each rmw whose result no later instruction looks at.
Script without_dead_results(Script);

struct AwaitTally : Seen {
  uint64_t executions = 0;
  uint64_t classes = 0;  // of complete ones, with rmws that commute
};

// What await gets wrong; nothing if that takes too long. Each class exactly once, complete or blocked; an error, a
// deadlock, a race iff there is one. Without rmws that commute it must also agree with the literal axioms, and count as
// many executions as spore. Where the script is too large to enumerate, only that.
std::optional<std::string> await_disagreement(const Script&, uint64_t limit, AwaitTally* tally = nullptr);

}  // namespace heddle::differential
