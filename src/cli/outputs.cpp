#include "cli/outputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <iterator>
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

// For a file, not for the terminal.
Style file_style(const Options& options) {
  Style style;
  style.unicode = true;
  style.all_steps = options.verbose;
  return style;
}

// A run that has no result.
struct Failure {
  const RunInfo& run;
  std::string_view verdict;
  const std::string& message;
};

// What --format prints, by its name. Of a failure a person is told on stderr.
struct Format {
  std::string_view name;
  std::string (*report)(const Options&, const RunInfo&, const Result&, const SiteTable&);
  std::string (*failure)(const Failure&);
};
constexpr Format kFormatTable[] = {
    {"text", [](const Options& o, const auto&... what) { return text_report(what..., output_style(o)); },
     [](const Failure&) { return std::string(); }},
    {"json", [](const Options&, const auto&... what) { return json_report(what...); },
     [](const Failure& f) { return json_failure(f.run, f.verdict, f.message); }},
    {"sarif", [](const Options&, const auto&... what) { return sarif_report(what...); },
     [](const Failure& f) { return sarif_failure(f.run, f.verdict, f.message); }},
};
static_assert(std::ranges::equal(kFormatTable, kFormats, {}, &Format::name));

const Format& format_of(std::string_view name) {
  const Format* const format = std::ranges::find(kFormatTable, name, &Format::name);
  return format == std::end(kFormatTable) ? kFormatTable[0] : *format;
}

// Reports that go to a file.
struct ReportFile {
  const char* option;
  std::optional<std::string> Options::* member;
  std::string (*report)(const Options&, const RunInfo&, const Result&, const SiteTable&);
  std::string (*failure)(const Failure&);
};
constexpr ReportFile kReportFiles[] = {
    {"--report", &Options::report, [](const Options&, const auto&... what) { return page_report(what...); },
     [](const Failure& f) { return page_failure(f.run, f.verdict, f.message); }},
    {"--dot", &Options::dot, [](const Options&, const auto&... what) { return dot_report(what...); },
     [](const Failure& f) { return dot_failure(f.run, f.verdict, f.message); }},
    {"--junit", &Options::junit,
     [](const Options& o, const RunInfo& run, const auto&... what) {
       return junit_check(run, json_report(run, what...), text_report(run, what..., file_style(o)));
     },
     [](const Failure& f) { return junit_check(f.run, json_failure(f.run, f.verdict, f.message), f.message); }},
};

// The files that are asked for, each with the option's name.
std::vector<std::pair<const char*, std::string>> output_files(const Options& options) {
  std::vector<std::pair<const char*, std::string>> files;
  for (const ReportFile& file : kReportFiles) {
    if (options.*file.member) files.emplace_back(file.option, *(options.*file.member));
  }
  if (options.save) files.emplace_back("--save", *options.save);
  if (options.checkpoint) files.emplace_back("--checkpoint", *options.checkpoint);
  if (options.resume && !options.checkpoint) files.emplace_back("--resume", *options.resume);
  return files;
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
  for (const ReportFile& file : kReportFiles) {
    if (options.*file.member) write_output(*(options.*file.member), file.report(options, run, result, sites));
  }
  return format_of(options.format).report(options, run, result, sites);
}

std::string printed_failure(const std::string& format, const RunInfo& run, std::string_view verdict,
                            const std::string& message) {
  return format_of(format).failure({run, verdict, message});
}

std::string put_out_failure(const Options& options, const RunInfo& run, std::string_view verdict,
                            const std::string& message) {
  try {
    for (const ReportFile& file : kReportFiles) {
      if (options.*file.member) write_output(*(options.*file.member), file.failure({run, verdict, message}));
    }
  } catch (const UserError& e) {
    std::fprintf(stderr, "heddle: %s\n", e.what());
  }
  return printed_failure(options.format, run, verdict, message);
}

}  // namespace heddle::cli
