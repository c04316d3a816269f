// What is wrong between the events of an execution graph: races, and frees of what is in use.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "graph/graph.hpp"
#include "machine/machine.hpp"

namespace heddle {

// A failure that is found in the graph: what is said of it, and the events that it is about.
struct GraphError {
  ErrorKind kind;
  std::string message;
  EventId event;
  EventId other = kNoEvent;
  std::vector<EventId> cycle{};  // of po ∪ rf ∪ co, in order
};

// A conflicting access of e's location that is not ordered with e by hb, one of the two being plain; or such a pair of
// a plain access and help that was left out. Races that the machine, if any, suppresses do not count.
std::optional<GraphError> find_race(const Graph& g, EventId e, Machine* machine);

// A plain access of a location of the helping operation h that is not ordered with it and conflicts. What h would have
// done is left out, but not the race.
std::optional<GraphError> find_help_race(const Graph& g, EventId h, Machine* machine);

// Whether the machine, if any, suppresses a race of these two at the location of the second.
bool is_suppressed(const Graph& g, EventId e, EventId other, Machine* machine);

// An access of the freed block that does not happen before the free event e.
std::optional<GraphError> find_use_during_free(const Graph& g, EventId e);

// An access of another thread's local variable that does not happen before the variable's end. The end is no event:
// only the machine knows of it, once its thread has come there.
struct UseOfEnded {
  EndedLocal local;
  EventId use;
};
std::optional<UseOfEnded> find_use_of_ended(const Graph& g, const Machine& machine);

}  // namespace heddle
