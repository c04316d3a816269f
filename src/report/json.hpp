// The report for a program: one JSON object; docs/reading-a-report.md lists its members.
#pragma once

#include <string>

#include "core/result.hpp"
#include "report/run.hpp"

namespace heddle {

std::string_view name(Verdict verdict);

// For a run without a verdict, or that ended before it had one to tell: `verdict` is "failed" or "incomplete".
std::string json_failure(const RunInfo& run, std::string_view verdict, const std::string& message);
std::string json_report(const RunInfo& run, const Result& result, const SiteTable& sites);

}  // namespace heddle
