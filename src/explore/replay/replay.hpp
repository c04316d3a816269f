// Bringing a machine to the state that an execution graph describes.
//
// Events are performed in an order that respects po ∪ rf. The order of addition does not: a revisited read is older
// than the write that it reads from.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "explore/replay/step_list.hpp"
#include "graph/graph.hpp"

namespace heddle {

// Some events of one thread, po-consecutive: positions [from, to) of Graph::thread.
struct Run {
  ThreadId thread;
  uint32_t from, to;
};

// The whole graph as runs, few and long, in a porf-respecting order. Reads that are blocked or open are left out: the
// machine must not perform their actions yet.
class Schedule {
 public:
  std::span<const Run> operator()(const Graph& g) { return (*this)(g, g.size(), {}); }
  // Of the first n events without these reads, on which none of the others depends.
  std::span<const Run> operator()(const Graph& g, std::size_t n, std::span<const EventId> without);
  // In an order that respects co and fr, too, so that each read finds what was written last. Empty if there is none, as
  // in executions that only a weak memory has. Where writes have no order in memory (wrc11), as above.
  std::span<const Run> in_sequence(const Graph& g);

 private:
  void run(const Graph& g);
  uint32_t advance(const Graph& g, ThreadId t, uint32_t from) const;
  bool may_write(const Graph& g, EventId w) const;

  std::vector<Run> runs_;
  std::vector<uint32_t> done_;  // per thread, the number of events in runs_
  std::vector<uint32_t> goal_;
  bool in_sequence_ = false;
};

// Number of events of one thread that its action number `from` (a position in Graph::thread) stands for: two for an
// rmw.
inline uint32_t action_width(const Graph& g, std::span<const EventId> thread, uint32_t from) {
  const Event& e = g[thread[from]];
  return e.is_read() && e.exclusive && from + 1 < thread.size() ? 2 : 1;
}

// The steps that bring a machine to a graph, kept from one replay to the next, so that a replay costs little but the
// machine's own work. Since the last restrict or rebuild the graph must have grown and shrunk at its end only.
class History {
 public:
  // Starts anew for g, which Graph::restrict or keep has made of the graph of `from` by a revisit of these reads. They
  // are performed last: nothing depends on them.
  void restrict(const History& from, const Graph& g, std::span<const EventId> reads);
  // Starts anew for g, which comes from elsewhere. The events from `changed` on, and then `reads`, are performed last.
  void rebuild(const Graph& g, EventId changed, std::span<const EventId> reads);
  // Brings the steps up to the events of g, of which those before `changed` are as they were.
  void update(const Graph& g, EventId changed);
  // Brings the machine to the graph; see StepList.
  ThreadId replay(const Graph& g, Machine& machine, bool to_error);
  // The machine has just been restarted, and all events of the graph from now on are performed as they come.
  void start(const Graph& g, const Machine& machine);
  // Nothing is known of any machine.
  void reset();
  // Another history has used the machine, and says now how far it has gone back.
  void lose(const History& other);
  std::size_t size() const { return steps_.size(); }

  // Which event of g the steps tell otherwise, or in an order against po ∪ rf; empty if none.
  std::string check(const Graph& g) const;

 private:
  void clear(const Graph& g);
  void add(const Graph& g, EventId e);
  void add_new(const Graph& g, std::size_t end);

  StepList steps_;
  std::size_t seen_ = 0;         // the events of the graph that the steps stand for
  std::vector<EventId> events_;  // the first event of each step
  uint64_t clocks_moved_ = 0;    // of the graph, when the steps were made
};

}  // namespace heddle
