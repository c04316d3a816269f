// What `heddle check --checkpoint` writes and `--resume` reads: what the check is about, and its work queue.
#pragma once

#include <string>

#include "cli/identity.hpp"
#include "core/steady_clock.hpp"
#include "explore/share/memory_queue.hpp"

namespace heddle::cli {

class Checkpoint {
 public:
  // With --resume the queue is as it was. Throws UserError, with the reason, if the check is another one.
  Checkpoint(const Options& options, const Identity& identity);
  Checkpoint(const Checkpoint&) = delete;
  Checkpoint& operator=(const Checkpoint&) = delete;

  OwnQueue& queue() { return queue_; }

 private:
  void load(const std::string& file);
  void save(bool now);

  const Identity identity_;
  const std::string file_;
  MemoryQueue queue_;
  const SteadyClock::time_point start_ = SteadyClock::now();
  SteadyClock::time_point saved_ = start_;
  bool warned_ = false;
};

}  // namespace heddle::cli
