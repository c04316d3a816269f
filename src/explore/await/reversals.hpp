// The races of a maximal interleaving, and the wakeup sequences that reverse them (optimal-dpor-await, Algorithm 1,
// lines 3–22).
//
// A race is a step e and a later step e' of another thread that could have come first. Its wakeup sequence starts
// before e: the steps after e that do not happen after e, then e'.
//
//  - Where e cannot enable or disable e', the two are a race iff they are adjacent in happens-before: nothing but e has
//    to give way.
//  - An await e' may be disabled where e is left out, and the last e to leave out need not be adjacent. So each step
//    before it that changes its location is tried, from the last one on. Where rmws commute, some more of them may have
//    to go: all largest sets of steps are tried that let e' go on and are closed under happens-before.
//  - An await that waits at the end is an e' too.
//  - Another choice is an e' that its own e has disabled.
//
// Where this departs from the paper:
//  - Def. 2 (ii) leaves out each e' that any step may disable. The proof (Claim 4, case 1) leaves out only those that e
//    itself may disable, and so do we: a read before an exchange that waits is such an e.
//  - Line 5 of the algorithm appends the thread of e', as the text around it says.
//  - can-stop is a property of e alone. In the paper it stays true for the steps before e, and then a class may be
//    lost. Take T1: x += 1, T2: await x = 1, T3: read x; x += 1; x := 1, with the interleaving T3 T3 T1 T3 T2. The
//    search would end at the step of T1, and T3 T1 T2 T3 T3 would not be found. The proof (Claim 4, case 2) holds for
//    can-stop as it is here: if e conflicts with all that may enable or disable e', and e' can come before e, then w''
//    there is not the shortest.
#pragma once

#include <functional>
#include <vector>

#include "explore/await/wakeup_tree.hpp"
#include "graph/graph.hpp"

namespace heddle {

// What is known of a step besides its label.
struct Detail {
  EventId event = kNoEvent;  // its first event in the graph
  uint32_t choices = 0;      // how many results it could have had, if it is a choice
  Value before;              // what its location held before it
};

class Reversals {
 public:
  // Takes a wakeup sequence for the place before a step; it may change the sequence.
  using Insert = std::function<void(Position, Sequence&)>;

  Reversals(const ConflictOrder& order, const Graph& graph, const std::vector<Detail>& details)
      : order_(order), graph_(graph), details_(details) {}

  // All of them. In the graph, each thread that waits has its read as its last event.
  void run(std::span<const ThreadId> threads, const Insert& insert);

 private:
  const Event& event(Position p) const { return graph_[details_[p].event]; }
  Effect effect(Position p) const { return order_[p].label.effect; }
  bool waits(Position p) const { return order_[p].label.loc != kNoLoc && event(p).await != Await::none; }

  void reverse_adjacent(Position second);
  bool adjacent(Position first, Position second) const;
  void reverse_choices(Position p);
  void reverse_await(const Event& await, ThreadId t, Position arrival, Position last_access);
  bool reverse_await(const Event& await, const Label& label, Position first, Position arrival, Position last_access);
  void collect_run(Position first, Position last_access);
  bool can_be_satisfied(const Event& await, Position first, Position arrival);
  Value value_after(Position first, const std::vector<bool>& without) const;
  void emit(Position first, const Label& second, const std::vector<bool>& without);

  const ConflictOrder& order_;
  const Graph& graph_;
  const std::vector<Detail>& details_;
  const Insert* insert_ = nullptr;
  Sequence sequence_;
  std::vector<Position> run_;  // the steps of a run after some step that do not happen after it
  std::vector<Value> values_;
  const std::vector<bool> nothing_;
};

}  // namespace heddle
