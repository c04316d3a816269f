// `heddle check`: compile, explore, report.
#pragma once

#include <string>

#include "cli/options.hpp"
#include "cli/supervise.hpp"

namespace heddle::cli {

// Returns the exit status. `command` is what the user typed, for the report.
int check(const Options& options, const std::string& command);

// Tells of a check that was killed.
void report_cut(const Options& options, const std::string& command, const Cut& cut);

}  // namespace heddle::cli
