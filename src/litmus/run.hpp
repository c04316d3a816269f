// Explores a litmus test and counts.
#pragma once

#include <cstdint>
#include <vector>

#include "explore/explore.hpp"
#include "litmus/litmus.hpp"

namespace heddle::litmus {

struct Outcome {
  std::vector<std::vector<int64_t>> states;  // the different final states, sorted, values as in Litmus::observed
  uint64_t satisfying = 0;                   // executions in which the proposition holds
  uint64_t others = 0;
  bool race = false;   // plain accesses race in some execution
  double seconds = 0;  // of the exploration
};

// Throws UserError when an execution divides by zero.
Outcome run(const Litmus&, ModelKind, Algorithm = Algorithm::spore);

// Whether the condition, with its quantifier, is as the test says.
bool ok(const Litmus&, const Outcome&);

}  // namespace heddle::litmus
