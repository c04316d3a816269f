// Threads by their lasting names.
#pragma once

#include "core/ids.hpp"

namespace heddle {

class ThreadPaths {
 public:
  virtual ~ThreadPaths() = default;

  virtual ThreadPath path(ThreadId) const = 0;
  // Gives a thread that is not known yet its id; an id is good for the whole run, but only in this process.
  virtual ThreadId thread_at(ThreadPath) = 0;
};

}  // namespace heddle
