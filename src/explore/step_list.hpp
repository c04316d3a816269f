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

  // Restarts the machine and replays. Returns the thread that fails on the way, if any: in another order than before, a
  // race may show in another thread. What would come after it is left out: it may depend on what that thread has not
  // done. Not `to_error`: threads that fail have no more steps, and the others go on.
  ThreadId replay(Machine& machine, bool to_error) const {
    machine.restart();
    for (std::size_t i = 0; i < stretches_.size(); ++i) {
      const std::size_t end = i + 1 < stretches_.size() ? stretches_[i + 1].begin : steps_.size();
      const ThreadId t = stretches_[i].thread;
      machine.replay(t, std::span(steps_).subspan(stretches_[i].begin, end - stretches_[i].begin));
      if (to_error && machine.pending(t).kind == ActionKind::error) [[unlikely]]
        return t;
    }
    return kNoThread;
  }

 private:
  struct Stretch {  // steps of one thread, up to the next stretch
    ThreadId thread;
    uint32_t begin;
  };

  std::vector<Step> steps_;
  std::vector<Stretch> stretches_;
};

}  // namespace heddle
