// `heddle check`: compile, explore, report.
#pragma once

#include <string>

#include "cli/options.hpp"

namespace heddle::cli {

// Returns the exit status. `command` is what the user typed, for the report.
int check(const Options& options, const std::string& command);

}  // namespace heddle::cli
