// Steps of an execution, thread by thread in the order of their performance, ready to be replayed. Nothing here needs
// an execution graph.
//
// A list knows how far the machine has done just its steps, so that a replay need not begin at the start. Several lists
// may take turns on one machine, if each is told how far the others have gone back (lose).
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/assert.hpp"
#include "machine/machine.hpp"

namespace heddle {

class StepList {
 public:
  std::size_t size() const { return steps_.size(); }
  Step& operator[](std::size_t i) { return steps_[i]; }
  const Step& operator[](std::size_t i) const { return steps_[i]; }

  void clear() {
    steps_.clear();
    stretches_.clear();
    same_ = 0;
  }
  void add(ThreadId t, const Step& step) {
    if (stretches_.empty() || stretches_.back().thread != t) {
      stretches_.push_back({t, static_cast<uint32_t>(steps_.size())});
    }
    steps_.push_back(step);
    HEDDLE_ASSERT(stretches_.front().begin == 0 && stretches_.back().begin < steps_.size());
  }
  void cut(std::size_t n) {
    HEDDLE_ASSERT(n <= steps_.size());
    lose(n);
    steps_.resize(n);
    while (!stretches_.empty() && stretches_.back().begin >= n) stretches_.pop_back();
  }

  // The machine has done so many of the steps, at least. What is added and not lost, it does as well.
  std::size_t same() const { return same_; }
  // It has done the first n and perhaps other ones then.
  void lose(std::size_t n) { same_ = std::min(same_, n); }
  // The machine has just been restarted; or it has done the steps of another list, of which the first n are the same.
  void start(const Machine& machine) { agree(kAll, machine.restarts()); }
  void agree(const StepList& other, std::size_t n) { agree(std::min(other.same_, n), other.restarts_); }
  // The fewest steps that a replay has gone back to since the last take_lowest.
  std::size_t lowest() const { return lowest_; }
  void forget_lowest() { lowest_ = kAll; }
  void lower(std::size_t n) { lowest_ = std::min(lowest_, n); }

  // Brings the machine to the state after all steps; see Machine.
  ThreadId replay(Machine& machine, bool to_error) {
    const std::size_t same = restarts_ == machine.restarts() ? std::min(same_, steps_.size()) : 0;
    const std::size_t first = machine.rewind(steps_, same);
    HEDDLE_ASSERT(first <= same);
    lower(first);
    start(machine);
    return machine.replay_all(steps_, stretches_, first, to_error);
  }

 private:
  static constexpr std::size_t kAll = SIZE_MAX;

  void agree(std::size_t n, uint64_t restarts) {
    same_ = n;
    restarts_ = restarts;
  }

  std::vector<Step> steps_;
  std::vector<Stretch> stretches_;
  std::size_t same_ = 0;
  std::size_t lowest_ = kAll;
  uint64_t restarts_ = 0;  // of the machine
};

}  // namespace heddle
