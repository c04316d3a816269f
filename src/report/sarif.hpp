// The report as SARIF 2.1.0 (OASIS, 2020), which code hosts and editors show beside the source: one run, a result for
// each error, and in it a code flow with a thread flow for each thread. docs/reading-a-report.md says what is where.
#pragma once

#include <string>
#include <string_view>

#include "core/result.hpp"
#include "report/run.hpp"

namespace heddle {

std::string sarif_report(const RunInfo& run, const Result& result, const SiteTable& sites);
// For a run without a result: `verdict` is "failed" or "incomplete".
std::string sarif_failure(const RunInfo& run, std::string_view verdict, const std::string& message);

}  // namespace heddle
