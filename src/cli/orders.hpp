// `heddle orders`: which memory orders a test needs; and what `heddle check` says of orders that would mend an error.
#pragma once

#include <string>

#include "cli/answer.hpp"
#include "cli/options.hpp"
#include "native/native.hpp"

namespace heddle::cli {

Answer orders(const Options& options, const std::string& command);

// Looks for orders that would mend the first error of the result, and for a notification that is to blame. The machine
// is not good for anything else then.
void advise(NativeMachine& machine, const Options& options, double spent, Result& result);

}  // namespace heddle::cli
