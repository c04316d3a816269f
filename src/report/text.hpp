// The report for a person: verdict first, then counts and speed, then each error with its execution.
#pragma once

#include <string>

#include "core/result.hpp"
#include "report/run.hpp"
#include "report/steps.hpp"

namespace heddle {

std::string text_report(const RunInfo& run, const Result& result, const SiteTable& sites, const Style& style);

}  // namespace heddle
