// Hazard pointers that may have been set too late (native/hazards.hpp).
//
// A protect P and a retire R of the block that P has read are one event each, but stand for longer things: P publishes
// the pointer, then reads it once more; R looks at what is published. Between the two parts there is an sc fence. If P
// comes before R, then R sees the hazard pointer. If R comes before P, then it does not, and P protects nothing,
// although it has read the pointer: it may have come from a block that was unlinked itself.
//
// An execution forces P before R if (po ∪ rf ∪ co ∪ fr)+ leads from P to R: typically, P has read the location before
// it was changed to unlink the block (fr), and the retire came after that; or a later read of the thread has made sure
// that it was so. If no such path exists, then R may come before P: the hazard pointer's store would get an incoming fr
// from R, and there is no way back from it to R, so none of the models' axioms is violated. Hence an error is always
// real. Under sc it is also always found, in weaker models only if no such path exists, which the model may not
// enforce.
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
