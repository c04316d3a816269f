// An execution graph held against the literal definition of its memory model (models/axioms). This shares nothing with
// the incremental checkers that the exploration uses, so that a mistake in one of them is told and never shown as a
// result.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/model_kind.hpp"
#include "graph/graph.hpp"
#include "models/axioms/execution.hpp"

namespace heddle {

// The graph as plain data. A read whose rmw has not written yet counts as a mere read. The marks of helped operations
// are no events of the program and are left out. The base writes come first, by address: of the locations that have
// events, and of those in `others`.
axioms::Execution literal(const Graph& g, const std::map<Address, Value>& others = {});

// Throws std::logic_error if the graph is not consistent. `psc`: SC-ACYCLICITY is to hold too. False: the
// execution is too long for the literal definitions, and was not checked; a note says so once.
bool check_literally(const Graph& g, ModelKind model, bool psc, std::vector<std::string>& notes);

}  // namespace heddle
