// Steps of an execution, thread by thread in the order of their performance, ready to be replayed. Nothing here needs
// an execution graph.
#pragma once

#include <cstdint>
#include <vector>

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
  }
  void add(ThreadId t, const Step& step) {
    if (stretches_.empty() || stretches_.back().thread != t) {
      stretches_.push_back({t, static_cast<uint32_t>(steps_.size())});
    }
    steps_.push_back(step);
  }
  void cut(std::size_t n) {
    steps_.resize(n);
    while (!stretches_.empty() && stretches_.back().begin >= n) stretches_.pop_back();
  }

  // Restarts the machine and replays; see Machine.
  ThreadId replay(Machine& machine, bool to_error) const {
    machine.restart();
    return machine.replay_all(steps_, stretches_, to_error);
  }

 private:
  std::vector<Step> steps_;
  std::vector<Stretch> stretches_;
};

}  // namespace heddle
