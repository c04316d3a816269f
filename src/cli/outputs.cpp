#include "cli/outputs.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <utility>
#include <vector>

#include "cli/courier.hpp"
#include "cli/files.hpp"
#include "cli/run.hpp"
#include "core/error.hpp"
#include "report/dot.hpp"
#include "report/json.hpp"
#include "report/junit.hpp"
#include "report/page.hpp"
#include "report/sarif.hpp"
#include "report/text.hpp"

namespace heddle::cli {
namespace {

// The files that are asked for, each with the option's name.
std::vector<std::pair<const char*, std::string>> output_files(const Options& options) {
  std::vector<std::pair<const char*, std::string>> files;
  if (options.report) files.emplace_back("--report", *options.report);
  if (options.dot) files.emplace_back("--dot", *options.dot);
  if (options.junit) files.emplace_back("--junit", *options.junit);
  if (options.save) files.emplace_back("--save", *options.save);
  if (options.checkpoint) files.emplace_back("--checkpoint", *options.checkpoint);
  if (options.resume && !options.checkpoint) files.emplace_back("--resume", *options.resume);
  return files;
}

// For a file, not for the terminal.
Style file_style(const Options& options) {
  Style style;
  style.unicode = true;
  style.all_steps = options.verbose;
  return style;
}

}  // namespace

std::vector<std::string> names_of_outputs(const Options& options) {
  std::vector<std::string> names;
  for (const auto& [option, file] : output_files(options)) names.push_back(file);
  return names;
}

void require_writable_outputs(const Options& options) {
  const auto files = output_files(options);
  for (std::size_t i = 0; i < files.size(); ++i) {
    const auto& [option, file] = files[i];
    require_writable(file);
    for (const std::string& source : options.files)
      if (same_file(file, source)) throw UserError(fmt::format("{} {}: this is a source file", option, file));
    for (std::size_t j = 0; j < i; ++j)
      if (same_file(file, files[j].second))
        throw UserError(fmt::format("{} {}: {} writes the same file", option, file, files[j].first));
  }
}

std::string put_out(const Options& options, const RunInfo& run, const Result& result, const SiteTable& sites) {
  if (options.report) write_output(*options.report, page_report(run, result, sites));
  if (options.dot) write_output(*options.dot, dot_report(run, result, sites));
  if (options.junit) {
    write_output(*options.junit, junit_check(run, json_report(run, result, sites),
                                             text_report(run, result, sites, file_style(options))));
  }
  if (options.format == "json") return json_report(run, result, sites);
  if (options.format == "sarif") return sarif_report(run, result, sites);
  return text_report(run, result, sites, output_style(options));
}

std::string printed_failure(const std::string& format, const RunInfo& run, std::string_view verdict,
                            const std::string& message) {
  if (format == "json") return json_failure(run, verdict, message);
  if (format == "sarif") return sarif_failure(run, verdict, message);
  return "";
}

std::string put_out_failure(const Options& options, const RunInfo& run, std::string_view verdict,
                            const std::string& message) {
  try {
    if (options.report) write_output(*options.report, page_failure(run, verdict, message));
    if (options.dot) write_output(*options.dot, dot_failure(run, verdict, message));
    if (options.junit) write_output(*options.junit, junit_check(run, json_failure(run, verdict, message), message));
  } catch (const UserError& e) {
    std::fprintf(stderr, "heddle: %s\n", e.what());
  }
  return printed_failure(options.format, run, verdict, message);
}

}  // namespace heddle::cli
