// All interleavings of a script, up to the values that the threads read: what --algorithm rvf has to cover.
//
// A value function is the list of the threads' steps with their results. An exploration is right iff it shows all of
// them, and no two interleavings in which also the reads cause each other in the same way (the classes of rvf-smc §3).
#pragma once

#include <optional>
#include <string>

#include "differential/interleaved.hpp"

namespace heddle::differential {

struct ValueFunctions : Forms {
  bool race = false;
};

// By enumeration; nothing if it takes more than `limit` steps.
std::optional<ValueFunctions> enumerate_values(const Script&, uint64_t limit);

struct RvfTally : Seen {
  uint64_t executions = 0;  // complete ones that were explored
  uint64_t functions = 0;   // of complete ones
};

// What rvf gets wrong; nothing if that takes too long. Also compared: each technique switched off explores the same
// number of executions.
std::optional<std::string> rvf_disagreement(const Script&, uint64_t limit, RvfTally* tally = nullptr);

}  // namespace heddle::differential
