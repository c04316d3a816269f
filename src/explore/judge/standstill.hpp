// Threads that wait for ever. Nothing here needs an execution graph: an explorer tells what it knows of each thread.
#pragma once

#include <functional>
#include <optional>

#include "core/error.hpp"
#include "machine/machine.hpp"

namespace heddle {

// What an explorer knows of a thread when no thread can go on.
struct Wait {
  bool waits = false;           // in a read that does not satisfy its await, or in a loop that changes nothing
  bool for_ever = false;        // it would find nothing else if it came later; not if it was stopped on purpose
  ThreadId writer = kNoThread;  // of the value that it has read; kNoThread: it is the initial one
  Address addr = 0;             // of what it reads
};
using WaitOf = std::function<Wait(ThreadId)>;

// For an execution in which no thread can go on and not all are done: a deadlock or livelock if it is a real one, that
// is, if each waiting read waits for ever and no thread was stopped on purpose (assume, a limit).
std::optional<Error> find_deadlock(Machine& machine, const WaitOf& wait_of);

// Whether a thread has ended the process by exit(0), and each other one has exited or would wait for ever; or main has
// returned, and each other one has exited or is detached and would wait for ever.
bool ended_process(Machine& machine, const WaitOf& wait_of);

}  // namespace heddle
