// One exploration on several cores.
//
// It begins alone. If it is not over soon, the process is copied (fork), and the copies ask for work: an item that the
// others have given away (work_item.hpp) waits in memory that they share. Work is only given away while somebody has
// none. Each item is explored exactly once, so the counts are those of one process alone, whatever their number is.
//
// Only counts come back. Whenever an exploration has more to tell (an error, a loop that must be followed again in
// another way, a copy that has died), all stop, and the whole is explored again by this process alone: so what is
// reported does not depend on the number of processes either. An error that this would take too long to find again is
// found in the item in which it was.
#pragma once

#include <functional>
#include <optional>

#include "explore/explore.hpp"

namespace heddle {

// Explores once, with this request; nothing if it has to be explored in another way.
using ExploreOne = std::function<std::optional<Result>(const Request&)>;

// `request.jobs` processes. What is explored must be able to give work away.
std::optional<Result> explore_in_parallel(Machine& machine, const Request& request, const ExploreOne& explore_one);

}  // namespace heddle
