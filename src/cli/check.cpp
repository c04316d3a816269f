#include "cli/check.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <optional>

#include "cli/build.hpp"
#include "cli/estimate.hpp"
#include "cli/run.hpp"
#include "explore/explore.hpp"
#include "frontend/load.hpp"
#include "library/library.hpp"
#include "native/native.hpp"
#include "report/json.hpp"
#include "report/text.hpp"

namespace heddle::cli {
namespace {

std::string report_text(const Options& options, const RunInfo& info, const Result& result, const SiteTable& sites) {
  return options.format == "json" ? json_report(info, result, sites)
                                  : text_report(info, result, sites, output_style(options));
}

class Check {
 public:
  Check(const Options& options, const std::string& command) : options_(options), info_(run_info(options, command)) {}

  Answer run() {
    const NativeOptions native = native_options(options_);
    Sources sources = sources_of(options_.build.value_or(""), options_.files);
    info_.files = sources.files;
    Program program = compile_files(options_, std::move(sources), options_.clang_args);
    if (options_.print_ir) return {kVerified, print_ir(program)};
    NativeMachine machine(load(std::move(program), library::resolve), native);
    info_.compile_seconds = seconds_since(start_);
    say_if_verbose(options_, fmt::format("compiled in {:.3f} s, {} places in the source", info_.compile_seconds,
                                         machine.image().sites.size()));

    begin_exploring(info_.compile_seconds);
    const auto explore_start = SteadyClock::now();
    const Request request = explore_request(options_, seconds_since(start_));
    const Result result = explored(machine, request);
    begin_reporting();
    info_.explore_seconds = seconds_since(explore_start);
    for (const std::string& note : result.notes) say_if_verbose(options_, note);
    say_if_verbose(options_, fmt::format("explored in {:.3f} s", info_.explore_seconds));
    return {exit_status(result.verdict), report(result, machine.image().sites)};
  }

  // There is no verdict.
  Answer failure(const std::string& message) {
    info_.peak_rss_kib = peak_rss_kib();
    info_.total_seconds = seconds_since(start_);
    return {kFailed, options_.format == "json" ? json_failure(info_, "failed", message) : ""};
  }

 private:
  Result explored(NativeMachine& machine, const Request& request) {
    std::optional<Forecast> forecast;
    if (status_style(options_.progress) != StatusStyle::none) forecast.emplace(machine, request);
    return explore(machine, request);
  }

  std::string report(const Result& result, const SiteTable& sites) {
    info_.peak_rss_kib = peak_rss_kib();
    info_.total_seconds = seconds_since(start_);
    return report_text(options_, info_, result, sites);
  }

  const Options& options_;
  const SteadyClock::time_point start_ = SteadyClock::now();
  RunInfo info_;
};

}  // namespace

std::string report_cut(const Options& options, const std::string& command, const Cut& cut) {
  RunInfo info = run_info(options, command);
  info.total_seconds = cut.seconds;
  info.compile_seconds = cut.compile_seconds;
  info.explore_seconds = cut.seconds - cut.compile_seconds;
  info.peak_rss_kib = cut.peak_rss_kib;
  return report_text(options, info, cut.result, {});
}

Answer check(const Options& options, const std::string& command) {
  Check check(options, command);
  try {
    return check.run();
  } catch (const UserError& e) {
    begin_reporting();
    // What clang had to say is on stderr already.
    if (*e.what()) std::fprintf(stderr, "heddle: %s\n", e.what());
    return check.failure(e.what());
  } catch (const std::exception& e) {
    begin_reporting();
    std::fprintf(stderr,
                 "heddle: internal error: %s\n"
                 "There is no verdict. Please report this together with the program and the command.\n",
                 e.what());
    return check.failure(fmt::format("internal error: {}", e.what()));
  }
}

}  // namespace heddle::cli
