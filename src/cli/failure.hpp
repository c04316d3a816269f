// What a command answers that has no result.
#pragma once

#include <functional>

#include "cli/answer.hpp"
#include "cli/options.hpp"
#include "report/run.hpp"

namespace heddle::cli {

// Runs the command. If it fails, says so on stderr; the answer is that there is no verdict, in JSON, too.
Answer or_failure(const Options& options, const std::function<Answer()>& run, const std::function<RunInfo()>& info);

}  // namespace heddle::cli
