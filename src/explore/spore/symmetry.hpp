// What symmetry reduction rests on besides symb (graph/graph.hpp), found in the graph while it is explored.
//
//   - po ∪ rf ∪ co is acyclic: else there may be executions that have a cycle of cb, which is never reached
//     (SPORE §2.2.4, Prop. 3.7).
//   - No thread tells twins apart by joining them: a thread that joins one joins all, with nothing in between. There
//     are no joins in the paper; with this rule they can be sorted after an exchange of the threads.
#pragma once

#include <optional>
#include <set>
#include <tuple>
#include <vector>

#include "explore/judge/races.hpp"
#include "graph/graph.hpp"
#include "machine/machine.hpp"

namespace heddle {

// A cycle of po ∪ rf ∪ co through w, a write that has just been placed. po includes create → child's first event and
// exit → join.
std::optional<GraphError> find_co_cycle(const Graph& g, EventId w);

// For a thread that is about to do something else than a join: its last event is one, and it has not joined all threads
// that can be exchanged with one that it has.
std::optional<GraphError> find_joined_apart(const Graph& g, ThreadId t);

// In a full execution: a thread waits in the join of a twin, but would go on if twins were exchanged, and to something
// else than to join the others. The machine is of no use afterwards. `known`: what need not be tried again.
using KnownJoins = std::set<std::tuple<ThreadId, std::size_t, std::vector<std::size_t>>>;
std::optional<GraphError> find_held_up(const Graph& g, Machine& machine, KnownJoins& known);

}  // namespace heddle
