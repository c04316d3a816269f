// The report as one HTML page that needs nothing else: no network, no other file. The files of src/report/page, which
// are part of heddle, show the data (page_data.hpp) that the page carries.
#pragma once

#include <string>
#include <string_view>

#include "core/result.hpp"
#include "report/run.hpp"

namespace heddle {

std::string page_report(const RunInfo& run, const Result& result, const SiteTable& sites);
// For a run without a result: `verdict` is "failed" or "incomplete".
std::string page_failure(const RunInfo& run, std::string_view verdict, const std::string& message);

}  // namespace heddle
