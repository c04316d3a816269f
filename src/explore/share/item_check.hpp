// Work items that come from outside: a right check sum does not make them sensible. The graph is held against the
// program, action by action. That costs a slow replay, once for each item.
//
// What an item says about the exploration that gave it away (which choices are left to others) cannot be checked.
#pragma once

#include <span>

#include "graph/graph.hpp"
#include "machine/machine.hpp"

namespace heddle {

// Throws std::runtime_error unless the machine does what the graph says, up to `last`, its last event. `revisited`:
// reads that read from `last` by a revisit. `choice`: another result of `last`, if that is a choice.
void require_agreement(const Graph& g, Machine& machine, EventId last, std::span<const EventId> revisited,
                       uint32_t choice);

// Whether a revisit of the read r by the write w keeps the causal prefix of each event that it keeps.
bool keeps_prefixes(const Graph& g, EventId r, EventId w);

}  // namespace heddle
