// One exploration by several processes, here or elsewhere.
//
// It begins alone. If it is not over soon, what is left is put into a queue (share/work_queue.hpp), and a team
// (share/team.hpp) works on it, as may others. Each item is explored exactly once, so the counts are those of one
// process alone, whichever processes have helped or died.
//
// Only counts come back. If a process meets trouble, the exploration ends, and this process explores the bundle in
// which it was, to see for itself. An error is looked for again from the beginning, alone, so that what is reported
// does not depend on the number of processes. That is not done for long, nor with --any-error: then the error of that
// bundle is reported.
#pragma once

#include <memory>

#include "explore/request/request.hpp"
#include "explore/share/slices.hpp"
#include "explore/share/work_tree.hpp"

namespace heddle {

// `request.jobs` processes of this machine, on `request.queue` if there is one. What is explored must be able to give
// work away. `tree`: of its parts, if they are not independent.
Result explore_together(Machine& machine, const Request& request, const ExploreOnce& explore_once,
                        std::unique_ptr<WorkTree> tree);

}  // namespace heddle
