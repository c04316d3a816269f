// The one way to explore a program: explore(machine, request) runs every execution that the memory model allows, up to
// the equivalence of the algorithm, and tells what it found.
//
// A pair of algorithm and model that the theory does not cover is refused, and so is a feature with it; `why_not` says
// so beforehand.
#pragma once

#include <memory>

#include "core/result.hpp"
#include "explore/request/coverage.hpp"
#include "explore/request/request.hpp"
#include "explore/share/work_tree.hpp"
#include "machine/machine.hpp"

namespace heddle {

// All of it: the request is not a part. Throws UserError for what the theory does not cover, std::logic_error if heddle
// has found a mistake of its own.
Result explore(Machine&, const Request&);

// Explores once, under what the machine assumes: all, or `request.work`. Throws UserError if that is damaged.
Result run_algorithm(Machine& machine, const Request& request);

// For a queue of what this algorithm explores; nothing if its parts are independent.
std::unique_ptr<WorkTree> work_tree(Algorithm algorithm);

}  // namespace heddle
