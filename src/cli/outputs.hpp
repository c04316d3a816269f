// What a check tells in the end: what it prints, by --format, and the files that it writes besides.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/options.hpp"
#include "core/result.hpp"
#include "core/site.hpp"
#include "report/run.hpp"

namespace heddle::cli {

// The files that are asked for.
std::vector<std::string> names_of_outputs(const Options& options);
// Throws UserError if a file cannot be written, or would take the place of another one that matters.
void require_writable_outputs(const Options& options);

// The text to print; the files are written. Throws UserError.
std::string put_out(const Options& options, const RunInfo& run, const Result& result, const SiteTable& sites);

// The same for a run that has no result: `verdict` is "failed" or "incomplete". What is printed is empty unless it is
// for a program. A file that cannot be written is told on stderr.
std::string put_out_failure(const Options& options, const RunInfo& run, std::string_view verdict,
                            const std::string& message);
// What such a run prints in this format.
std::string printed_failure(const std::string& format, const RunInfo& run, std::string_view verdict,
                            const std::string& message);

}  // namespace heddle::cli
