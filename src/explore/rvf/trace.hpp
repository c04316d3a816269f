// The events of a node of RVF-SMC, and one interleaving of them: as an instance of VerifySC, as an execution graph in
// which each read reads from the co-last write, and as the state of the machine.
//
// The state of a thread is a function of what it has read. So any witness of the instance brings the machine to the
// same state. The machine is run again when events are taken back, and for a witness that does not just continue the
// trace, because its clocks differ.
#pragma once

#include <vector>

#include "explore/replay/replay.hpp"
#include "explore/rvf/verify_sc.hpp"
#include "graph/graph.hpp"
#include "machine/machine.hpp"

namespace heddle {

// An event of the program, beside its VscEvent.
struct RvfEvent {
  Action action;
  Value read;     // or the result
  Value written;  // if it writes
  Value base;     // access: what was in the location at first
  uint64_t serial = 0;
};

class RvfTrace {
 protected:
  explicit RvfTrace(Machine& machine);

  // Events.

  static uint32_t thread_of(ThreadId t) { return static_cast<uint32_t>(index(t)); }
  uint32_t var_of(Address addr) { return static_cast<uint32_t>(index(graph_.location(addr))); }
  std::span<const VscId> accesses(uint32_t var) const {
    return var < x_.vars() ? x_.accesses(var) : std::span<const VscId>();
  }
  // What was in memory at first.
  Value base_of(const Action& a, uint32_t var) const;
  // What comes before the next event of t besides its own; kNoVscEvent: nothing.
  VscId after_of(ThreadId t, const Action& a) const;
  VscId creation_of(ThreadId t) const;

  // The action of t with this result. A read has good writes.
  VscId add_event(ThreadId t, const Action& a, Value result, Value base, std::span<const VscId> good);
  // Back to the first n events.
  void cut_events(std::size_t n);

  // The interleaving.

  // The new event comes last; the machine is to perform it.
  void append(VscId e);
  // The graph is to show this interleaving of all events.
  void arrange(const std::vector<VscId>& trace);
  // Brings the machine to the graph; returns the number of steps.
  std::size_t follow_graph();
  // Takes the interleaving back altogether, and the graph with it.
  void clear_graph();
  void add_to_graph(VscId e);
  // The next action of t, which reads or results in this. `base`: what was in its location at first.
  void add_to_graph(ThreadId t, const Action& a, Value result, Value base);
  // The place in the graph's thread of an event that is one event there.
  uint32_t graph_position(VscId e) const;
  // The graph has been changed from this event on, and is as it was before.
  void graph_changed(std::size_t from) { stale_ = std::min(stale_, from); }

  Machine& machine_;
  Locations locations_;
  Graph graph_;
  VscInstance x_;
  std::vector<RvfEvent> events_;  // of x_
  std::vector<VscId> trace_;
  uint32_t threads_ = 0;  // all that there ever were

 private:
  struct Built {
    uint64_t serial;
    std::size_t events;  // of the graph, before
  };

  History history_;
  std::vector<Built> built_;  // the interleaving that the graph shows
  std::size_t stale_ = 0;     // from here on the graph has changed since history_ was brought up to it
  uint64_t serial_ = 0;
};

}  // namespace heddle
