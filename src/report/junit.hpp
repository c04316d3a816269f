// The results of tests as JUnit XML, for build servers.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "report/run.hpp"
#include "report/tests.hpp"

namespace heddle {

// A test suite for each file. An error is a failure; a test that is incomplete, or has no verdict, is an error there.
std::string junit_report(const RunInfo& run, std::span<const TestReport> tests);

// The one test that a check is. `json` and `text` are its reports (report/json.hpp, report/text.hpp).
std::string junit_check(const RunInfo& run, std::string json, std::string text);

// As text or the value of an attribute. What XML or UTF-8 does not allow is replaced by U+FFFD.
std::string escaped_xml(std::string_view text);
// Only the replacement.
std::string replaced_characters(std::string_view text);

}  // namespace heddle
