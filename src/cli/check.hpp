// `heddle check`: compile, explore, report.
#pragma once

#include <string>

#include "cli/answer.hpp"
#include "cli/options.hpp"

namespace heddle::cli {

// `command` is what the user typed, for the report.
Answer check(const Options& options, const std::string& command);

}  // namespace heddle::cli
