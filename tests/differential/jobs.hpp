// Several processes: they count what one process alone counts, and come to the same verdict.
#pragma once

#include <optional>
#include <string>

#include "explore/explore.hpp"
#include "machine/script/script.hpp"
#include "models/axioms/axioms.hpp"

namespace heddle::differential {

struct JobsTally {
  uint64_t executions = 0;
  bool error = false;
  uint64_t bundles = 0;  // that were given to somebody
};

// Where 2, 3 and 8 processes differ from one; empty if nowhere. Nothing if there are more than `limit` executions.
std::optional<std::string> jobs_disagreement(const Script&, axioms::Model, Algorithm, bool symmetry, uint64_t limit,
                                             JobsTally* = nullptr);

}  // namespace heddle::differential
