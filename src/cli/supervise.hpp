// Runs the real work in a child process. The program under test runs natively in it and may break anything; the
// parent sees to it that a broken child is never taken for a verdict, and that limits are kept whatever it does.
//
// When a limit is reached, or the user interrupts, the parent asks the child to stop (core/stop.hpp), which then tells
// what it has found. A child that compiles, or does not stop soon, is killed; the parent tells what is known of it:
// what it has counted, and the errors that it has noted down when it found them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/status_line.hpp"
#include "core/result.hpp"

namespace heddle::cli {

enum ExitStatus { kVerified = 0, kBugFound = 1, kFailed = 2, kIncomplete = 3 };

// Calls `work` in a child and returns its status. A child that dies, or ends without returning from `work`, is an
// internal error. It dies with this process. `said`: what was wrong with the child, as told on stderr.
int supervise(const std::function<int()>& work, std::string* said = nullptr);

struct Limits {
  std::optional<double> seconds;
  uint64_t bytes = UINT64_MAX;  // of memory that is in use
  // What the user is shown meanwhile.
  StatusStyle status = StatusStyle::none;
  std::string title = {};
  std::vector<std::string> outputs = {};  // files that the child may have the parent write (courier.hpp)
};

// What is known of a child that was killed.
struct Cut {
  Limit limit;
  Result result;    // its counts and errors
  SiteTable sites;  // of the errors
  double seconds;
  double compile_seconds;
  uint64_t peak_rss_kib;
};

// The same within limits. `report` tells the user of a child that was killed; the status is kBugFound then, or
// kIncomplete.
int supervise(const std::function<int()>& work, const Limits& limits, const std::function<void(const Cut&)>& report,
              std::string* said = nullptr);

// The child says what it does. It compiles at first. Before it prints anything it reports: the status line is gone
// then.
void begin_exploring(double compile_seconds);
void begin_reporting();
// Notes an error down, so that it is told even if the child is killed.
void note_down(const Finding& finding, const SiteTable& sites);

}  // namespace heddle::cli
