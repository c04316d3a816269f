// Hazard pointers that may have been set too late (native/hazards.hpp).
//
// A protect P and a retire R of the block that P has read are one event each, but stand for longer things: P publishes
// the pointer, then reads it once more; R looks at what is published. Between the two parts there is an sc fence. If P
// comes before R, then R sees the hazard pointer. If R comes before P, then it does not, and P protects nothing,
// although it has read the pointer: it may have come from a block that was unlinked itself.
//
// Let a path be one of (po ∪ rf ∪ co ∪ fr)+ from P to R. Typically P has read a location before it was changed to
// unlink the block (fr), and R came after that change. Without a path, R may come before P: the hazard pointer's store
// gets an incoming fr from R, and nothing leads back to R, so no axiom of any model is violated. So each error that is
// told is real. Under sc a path forces P before R, so each error is found. A weaker model may allow R before P in spite
// of a path; such an error is not found.
//
// Later events of the execution might hide the error by adding a path. It is enough to look at the ends of executions
// all the same: the execution that goes on from the access and the retire by maximal steps adds none.
#pragma once

#include <optional>

#include "core/error.hpp"
#include "graph/graph.hpp"
#include "machine/machine.hpp"
#include "models/wrc11.hpp"

namespace heddle {

// An access in the execution under a hazard pointer that may have been set after the block was retired.
// `weak`: co_weak instead of co, if the graph has no co that means anything.
std::optional<Error> find_late_protect(const Graph& g, Machine& machine, WeakOrder* weak = nullptr);

}  // namespace heddle
