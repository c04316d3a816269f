// The report of `heddle test`: a line for each test, and one JSON object for all.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "report/run.hpp"
#include "report/steps.hpp"

namespace heddle {

// A test and what its check has to say.
struct TestReport {
  std::string name;
  std::string file;
  int line = 0;
  std::string json;  // the report of the check (report/json.hpp)
  std::string text;  // the same for a person; empty if all is told elsewhere
  // From here on it is what read_report has found.
  std::string verdict;  // verified, skipped, error, incomplete, failed
  std::string kind;     // of the first error
  std::string message;  // the first error, or limit, or why there is no verdict, or why it was skipped
  std::string place;    // of the first error: "queue.cpp:12"
  uint64_t executions = 0;
  double seconds = 0;
  bool interrupted = false;
};

// Reads report.json. `skip_reason`: null unless an execution has skipped the test.
void read_report(TestReport& report, const std::string* skip_reason);

// The tests that there are.
struct TestPlace {
  std::string name;
  std::string file;
  int line = 0;
};
std::string tests_list_json(const RunInfo& run, std::span<const TestPlace> tests);

// The verdict of all.
std::string verdict_of(std::span<const TestReport> tests);

std::string test_line(const TestReport& test, std::size_t name_width, const Style& style);
// The last line.
std::string tests_summary(const RunInfo& run, std::span<const TestReport> tests, const Style& style);
// A member for each test in `tests`; the rest is as in the report of a check.
std::string tests_json(const RunInfo& run, std::span<const TestReport> tests);

}  // namespace heddle
