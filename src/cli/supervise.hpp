// Runs the real work in a child process. The program under test runs natively in it and may break anything; the
// parent sees to it that a broken child is never taken for a verdict.
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace heddle::cli {

enum ExitStatus { kVerified = 0, kBugFound = 1, kFailed = 2, kIncomplete = 3 };

// Calls `work` in a child and returns its status. A child that dies, or ends without returning from `work`, is an
// internal error. With a time limit the child is ended when it has not stopped by itself some time after it. `said`:
// what was wrong with the child, as told on stderr.
int supervise(const std::function<int()>& work, std::optional<double> time_limit, std::string* said = nullptr);

}  // namespace heddle::cli
