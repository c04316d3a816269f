// What the page shows, as JSON: the verdict, each failing execution with its relations and values, and the source
// lines that it touches.
#pragma once

#include <string>
#include <string_view>

#include "core/result.hpp"
#include "report/run.hpp"

namespace heddle {

std::string page_data(const RunInfo& run, const Result& result, const SiteTable& sites);
std::string page_failure_data(const RunInfo& run, std::string_view verdict, const std::string& message);

}  // namespace heddle
