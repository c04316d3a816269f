// The report for a program: one JSON object; docs/reading-a-report.md lists its members.
#pragma once

#include <string>

#include "core/result.hpp"
#include "report/run.hpp"

namespace heddle {

std::string_view name(Verdict verdict);

std::string json_report(const RunInfo& run, const Result& result, const SiteTable& sites);

}  // namespace heddle
