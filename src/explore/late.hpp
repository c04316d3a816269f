// Awaits that came in time, but need not have.
//
// Spore lets a thread that waits go on as soon as a write satisfies it. So it never waits where a value that satisfies
// it has come and gone. A thread that is late waits there, for ever if nothing else satisfies it. Such an execution is
// a part of one that is explored: let E be it, and let one of its waiting threads read the older value and go on, and
// then whoever can. The full execution that comes of it has all of E, and no event of E depends on the await. So of
// each full execution and each of its awaits r we look at the events that do not depend on r. If no thread can go on
// there, that is E. If several threads wait in E, and the others go on only because of the first, the same holds; else
// there is a full execution in which fewer threads wait, and that is an error, too.
#pragma once

#include <vector>

#include "graph/graph.hpp"
#include "machine/machine.hpp"

namespace heddle {

// The events (1 at the index) of an execution in which a thread waits for ever because it was late, as far as the graph
// tells; empty if there is none. The machine stands at the end of g.
std::vector<uint8_t> find_late_wait(const Graph& g, Machine& machine);

}  // namespace heddle
