// Turning an execution graph into the steps that a person is shown.
#pragma once

#include <optional>
#include <vector>

#include "core/result.hpp"
#include "graph/graph.hpp"
#include "machine/machine.hpp"

namespace heddle {

struct GraphTrace {
  Trace trace;
  std::optional<Error> error;  // of a thread, with all that the machine can tell about it
  std::vector<int> step_of;    // by EventId; both halves of an rmw share a step
};

// Runs the execution once more, action by action. Leaves the machine at its end. If it is stuck, what its threads wait
// for is shown too.
GraphTrace make_trace(const Graph& g, Machine& machine, bool stuck);

}  // namespace heddle
