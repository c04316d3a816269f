// The report for a person: verdict first, then counts and speed, then each error with its execution.
#pragma once

#include <string>

#include "core/result.hpp"
#include "report/run.hpp"
#include "report/steps.hpp"

namespace heddle {

// "data race", "deadlock", …
std::string_view title(ErrorKind kind);
// "verified: no error in any of 6 executions (rc11, spore)".
std::string verdict_line(const RunInfo& run, const Result& result, const Style& style);
// A race that is no error, with its places.
std::string suppressed_line(const SuppressedRace& race, const SiteTable& sites);

std::string text_report(const RunInfo& run, const Result& result, const SiteTable& sites, const Style& style);

}  // namespace heddle
