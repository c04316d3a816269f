// The happens-before relation of optimal-dpor-await §IV-A: which steps of an interleaving may not change places.
//
//   (i)  steps of one thread; a create and the steps of its child; the steps of a thread and its join
//        an arrival, and a leave of its phase (graph/meetings.hpp)
//   (ii) two accesses of one location of which at least one writes, unless they are rmws that commute
//
// It is valid in the sense of the Optimal-DPOR papers: any order of the steps that respects it is an interleaving with
// the same steps, results and relation. A cas writes iff it succeeds, and whether it does depends on the value alone,
// which only steps change that it conflicts with. Rmws commute if their operations do and what they read is unused:
// their results are no part of an execution. An rmw that waits uses what it reads.
//
// Choices are steps that conflict with nothing, but another choice is another step.
//
// Two accesses of a location are independent iff both have the same effect, which is not `write`. So the accesses of a
// location form runs: a run is independent inside, and everything in it conflicts with everything in the runs beside
// it. The clock of a step joins that of its predecessor in the thread and those of the run before; the join over a run
// is kept with each of its steps. Nothing else is kept, so that removing the last step costs nothing.
#pragma once

#include <vector>

#include "core/action.hpp"
#include "core/assert.hpp"

namespace heddle {

// What a step does to its location. From `write` on, it changes it. From `add` on, it commutes with its like.
enum class Effect : uint8_t { none, read, write, add, bor, band, bxor };

constexpr bool modifies(Effect e) { return e >= Effect::write; }
constexpr bool commutes(Effect e) { return e > Effect::write; }

// Of an access that finds this value. `commute`: rmws may.
Effect effect_of(const Action& a, Value found, bool commute);

// An arrival or a leave.
struct Met {
  LocId at = kNoLoc;  // kNoLoc: neither
  uint32_t places = 0;
  uint32_t phase = 0;
  bool leaves = false;

  friend bool operator==(const Met&, const Met&) = default;
};

// A step as others see it, and as a wakeup sequence names it.
struct Label {
  ThreadId thread = kNoThread;
  ThreadId creates = kNoThread;
  ThreadId joins = kNoThread;
  Effect effect = Effect::none;
  LocId loc = kNoLoc;   // kNoLoc iff the effect is `none`
  uint32_t choice = 0;  // the result of a choice
  Met met{};

  friend bool operator==(const Label&, const Label&) = default;
};
static_assert(sizeof(Label) == 32, "there are many: of each wakeup sequence and sleep set");

// (ii)
constexpr bool conflict(const Label& a, const Label& b) {
  return a.loc == b.loc && a.loc != kNoLoc && (a.effect != b.effect || a.effect == Effect::write);
}

// Whether b leaves the phase in which a arrives.
constexpr bool awaited(const Met& a, const Met& b) {
  return b.leaves && !a.leaves && a.at == b.at && a.places == b.places && a.phase == b.phase;
}

// (i) and (ii), for a that comes before b.
constexpr bool ordered(const Label& a, const Label& b) {
  return a.thread == b.thread || a.creates == b.thread || b.joins == a.thread || conflict(a, b) ||
         awaited(a.met, b.met);
}

// A place in an interleaving, from 0.
using Position = uint32_t;
inline constexpr Position kNowhere = 0xffffffff;

// An interleaving with a clock for each step: clock[t] is the number of steps of thread t that happen before the step
// or are the step.
class ConflictOrder {
 public:
  struct Step {
    Label label;
    uint32_t index = 0;             // in the thread, from 1
    Position before = kNowhere;     // the thread's step before, or its create
    Position loc_prev = kNowhere;   // the access of the location before this one
    Position run_first = kNowhere;  // of the run that this access belongs to
  };

  ConflictOrder();

  std::size_t size() const { return steps_.size(); }
  const Step& operator[](Position p) const {
    HEDDLE_ASSERT(p < steps_.size());
    return steps_[p];
  }

  void push(const Label& label);
  // Keeps the first n steps.
  void cut(std::size_t n);

  // The last step of a thread, or its create; kNowhere for main before its first step.
  Position last(ThreadId t) const { return threads_[index(t)].last; }
  // The last access of a location.
  Position last(LocId l) const { return index(l) < locs_.size() ? locs_[index(l)] : kNowhere; }
  // The last access of the run before that of p.
  Position run_before(Position p) const {
    HEDDLE_ASSERT(p < steps_.size() && steps_[p].run_first <= p);
    return steps_[steps_[p].run_first].loc_prev;
  }
  bool same_run(Position a, Position b) const { return steps_[a].run_first == steps_[b].run_first; }

  // Whether a is b or happens before it; nothing does before kNowhere.
  bool before(Position a, Position b) const {
    HEDDLE_ASSERT(a < steps_.size() && (b == kNowhere || b < steps_.size()));
    return b != kNowhere && row(b, kOwn)[index(steps_[a].label.thread)] >= steps_[a].index;
  }

 private:
  enum Row { kOwn, kRun, kRows };  // the clock of the step; the join over its run up to it

  struct Thread {
    Position last = kNowhere;
    uint32_t count = 0;
  };

  uint32_t* row(Position p, Row r) { return clocks_.data() + (std::size_t{p} * kRows + r) * stride_; }
  const uint32_t* row(Position p, Row r) const { return clocks_.data() + (std::size_t{p} * kRows + r) * stride_; }
  void ensure_thread(ThreadId t);
  void join(uint32_t* to, const uint32_t* from) const {
    for (std::size_t i = 0; i < stride_; ++i) to[i] = to[i] > from[i] ? to[i] : from[i];
  }

  std::vector<Step> steps_;
  std::vector<Thread> threads_;
  std::vector<Position> locs_;
  std::vector<Position> arrivals_;
  std::vector<uint32_t> clocks_;
  std::size_t stride_ = 4;
};

}  // namespace heddle
