// What is wrong with an execution graph besides what its threads ran into: races and frees between events, and threads
// that wait for ever. Shared by the explorers that work on graphs.
#pragma once

#include <optional>

#include "core/result.hpp"
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
// a plain access and help that was left out.
std::optional<GraphError> find_race(const Graph& g, EventId e);

// An access of the freed block that does not happen before the free event e.
std::optional<GraphError> find_use_during_free(const Graph& g, EventId e);

// Whether a waiting read waits for ever: it would find nothing else if it came later.
using WaitsForEver = bool (*)(const Graph& g, EventId r);
// It reads the co-maximal write of its location.
bool reads_latest(const Graph& g, EventId r);

// For an execution in which no thread can go on and not all are done: a deadlock or livelock if it is a real one, that
// is, if each waiting read waits for ever and no thread was stopped on purpose (assume, a limit).
std::optional<Error> find_deadlock(const Graph& g, Machine& machine, WaitsForEver = reads_latest);

// Whether a thread has ended the process by exit(0), and each other one has exited or would wait for ever.
bool ended_process(const Graph& g, Machine& machine, WaitsForEver = reads_latest);

// Joins a finding with its trace: runs the execution once more. For a GraphError, names the sites of its events.
Finding make_finding(const Graph& g, Machine& machine, Error error);
Finding make_finding(const Graph& g, Machine& machine, const GraphError& error);

}  // namespace heddle
