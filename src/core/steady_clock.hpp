// The clock that time limits and durations go by.
#pragma once

#include <chrono>

namespace heddle {

using SteadyClock = std::chrono::steady_clock;

inline double seconds_since(SteadyClock::time_point start) {
  return std::chrono::duration<double>(SteadyClock::now() - start).count();
}

}  // namespace heddle
