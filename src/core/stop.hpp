// A run that ends before its time: what passes between an exploration and the process that watches over it
// (cli/supervise.hpp). A signal handler asks; the exploration looks now and then and stops by itself.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>

namespace heddle {

enum class Stop : uint8_t {
  none,
  time,
  memory,
  interrupted,
};

// How far an exploration has come, for a process that cannot ask it.
struct Progress {
  std::atomic<uint64_t> executions, blocked, duplicates, events, errors, depth;
  std::atomic<double> expected, low, high;  // executions in all, and an interval; 0: not known
};

namespace stop {

inline std::atomic<Stop> asked = Stop::none;
inline Progress* progress = nullptr;  // where to tell it, if anywhere

// Called by the signal handler, with its ucontext_t. It does not return if the program under test was computing: that
// may take for ever. A machine that runs programs sets it.
inline std::atomic<void (*)(const void* context)> leave_program = nullptr;

}  // namespace stop

// Thrown where an execution was left in the middle: because of `asked`, or because the machine wants to start again
// (Machine::suppresses).
class Stopped : public std::exception {
 public:
  const char* what() const noexcept override { return "the exploration has to stop"; }
};

}  // namespace heddle
