// Failing executions for Graphviz: a cluster for each thread, with po, rf and co as edges. `dot -Tsvg` draws it.
#pragma once

#include <string>
#include <string_view>

#include "core/result.hpp"
#include "report/run.hpp"

namespace heddle {

// Without a failing execution it is a graph with the verdict alone.
std::string dot_report(const RunInfo& run, const Result& result, const SiteTable& sites);
std::string dot_failure(const RunInfo& run, std::string_view verdict, const std::string& message);

}  // namespace heddle
