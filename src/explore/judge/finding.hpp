// Joins an error with the execution that shows it.
//
// What an error is, and where, is known when it is found: by the machine, or by the events of the graph. The execution
// is then run once more for its trace. That run also knows the places of plain accesses, and adds them to the same
// error. A race that it meets instead of the first one is told in its place; another kind of error does not count.
#pragma once

#include "core/result.hpp"
#include "explore/judge/races.hpp"
#include "graph/graph.hpp"
#include "machine/machine.hpp"

namespace heddle {

Finding make_finding(const Graph& g, Machine& machine, Error error);
Finding make_finding(const Graph& g, Machine& machine, const GraphError& error);
Finding make_finding(const Graph& g, Machine& machine, const UseOfEnded& error);

}  // namespace heddle
