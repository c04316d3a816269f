// `heddle check`: compile, explore, report.
#pragma once

#include <string>

#include "cli/answer.hpp"
#include "cli/options.hpp"
#include "cli/supervise.hpp"

namespace heddle::cli {

// `command` is what the user typed, for the report.
Answer check(const Options& options, const std::string& command);

// Tells of a check that was killed.
std::string report_cut(const Options& options, const std::string& command, const Cut& cut);

}  // namespace heddle::cli
