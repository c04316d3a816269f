// The steps that a person is shown. Nothing here needs an execution graph: an explorer lists the actions of the
// execution, in an order that respects po and rf.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "core/result.hpp"
#include "machine/machine.hpp"

namespace heddle {

struct ShownAction {
  ThreadId thread = kNoThread;
  Value result;
  Clock clock;
  std::optional<Value> read;
  std::optional<Value> written;
  int rf = -1;      // the action in the list whose value was read; -1: the initial value, or no read
  uint32_t co = 0;  // see TraceStep, as are the next two
  bool released = false;
  bool acquired = false;
  bool performed = true;  // else the thread only stands before it; such actions are the last of the list
  bool waits = false;     // and waits there for ever
};

struct Traced {
  Trace trace;
  std::optional<Error> error;  // of a thread, with all that the machine can tell about it
};

// Runs the execution once more, action by action, and leaves the machine at its end. If a thread fails before its last
// action, the trace ends there: in this order a race may show earlier. `before` is told of each action, by its place in
// the list, before it is looked at, and may throw.
using BeforeAction = std::function<void(std::size_t place, const ShownAction& action)>;
Traced make_trace(Machine& machine, std::span<const ShownAction> actions, const BeforeAction& before = {});

}  // namespace heddle
