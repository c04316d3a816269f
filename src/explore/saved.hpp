// The execution of a finding as bytes, and the same execution run again without any exploration.
//
// What an execution is: the settings of the machine, the threads by their paths, and a list of actions with the results
// and clocks that the machine was given. Each action is compared with what the program is about to do before it is
// done, and the whole trace in the end. The rest of the result (the error, counts, the advice) is kept as it was told.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "core/result.hpp"
#include "explore/judge/trace.hpp"
#include "machine/machine.hpp"

namespace heddle {

// Of the first finding. The execution is run once more. Throws UserError if that does something else.
std::string save_execution(const Result& result, Machine& machine);

struct ReplayHooks {
  BeforeAction before;  // as of make_trace
  // The program is compiled in another way: where what was at this address or points there is now. Unset: there.
  std::function<uint64_t(uint64_t)> moved;
  uint64_t sites = uint64_t{1} << 32;  // how many places the program's source has
};

// The result with its one finding. The machine stands at the end of the execution, which may be the error. Throws
// UserError if the program does something else, std::runtime_error if these are not the bytes of an execution.
Result replay_execution(std::string_view bytes, Machine& machine, const ReplayHooks& hooks = {});

}  // namespace heddle
