#include "cli/estimate.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/build.hpp"
#include "cli/run.hpp"
#include "cli/supervise.hpp"
#include "core/error.hpp"
#include "core/stop.hpp"
#include "frontend/load/load.hpp"
#include "library/library.hpp"
#include "native/native.hpp"
#include "report/json.hpp"
#include "report/places.hpp"
#include "report/short_number.hpp"

namespace heddle::cli {
namespace {

// Seconds.
constexpr double kSeconds = 5;          // of descents, unless the user says how many
constexpr double kTrying = 1;           // at most, before: a small program needs no estimate
constexpr double kForecastDelay = 1;    // before the descents for a status line
constexpr double kForecastSeconds = 1;  // of these

Request estimate_request(Request request, double seconds) {
  request.estimate = true;
  request.time_limit = seconds;
  request.keep_going = true;
  request.max_executions = 0;
  request.self_check = false;
  return request;
}

// A loop that would have gone round more often.
std::optional<SiteId> loop_without_bound(const Result& result) {
  const auto it = std::ranges::find(result.broken, Assumption::rounds, &Broken::what);
  return it == result.broken.end() ? std::nullopt : std::optional(it->site);
}

// An exploration that comes to its end soon is better than any estimate.
std::optional<Estimate> explored_whole(Machine& machine, Request request, double seconds) {
  request.time_limit = std::min(kTrying, seconds / 4);
  request.keep_going = true;
  const auto start = SteadyClock::now();
  const Result result = explore(machine, request);
  if (!saw_all(result) || loop_without_bound(result)) return std::nullopt;
  const auto executions = static_cast<double>(result.executions);
  return Estimate{.executions = executions,
                  .low = executions,
                  .high = executions,
                  .blocked = static_cast<double>(result.blocked),
                  .seconds = seconds_since(start),
                  .with_errors = result.findings.size()};
}

// Nothing can be said of a program with a loop that may go round for ever.
std::string why_none(const Result& result, const SiteTable& sites) {
  if (const std::optional<SiteId> loop = loop_without_bound(result)) {
    return fmt::format(
        "the loop at {} has no known bound, so that there is nothing to estimate; give it one, as with "
        "--unroll 3",
        shown_place(user_site(sites, *loop)));
  }
  if (!result.estimate || result.estimate->descents == 0) return "there was no time for an estimate";
  return "";
}

std::string shown_seconds(double seconds) {
  if (seconds < 60) return fmt::format("{:.2g} s", seconds);
  if (seconds < 3600) return fmt::format("{:.0f} min", seconds / 60);
  if (seconds < 48 * 3600) return fmt::format("{:.0f} h", seconds / 3600);
  return fmt::format("{} days", short_number(seconds / 86400));
}

std::string text_of(const RunInfo& info, const Estimate& e) {
  if (e.descents == 0) {
    std::string out = fmt::format("{:.0f} execution{}", e.executions, e.executions == 1 ? "" : "s");
    if (e.blocked > 0) out += fmt::format(", {:.0f} blocked", e.blocked);
    return out + fmt::format(", explored in {:.2f} s ({}, {})\n", e.seconds, info.model, info.algorithm) +
           (e.with_errors == 0 ? "" : "  There are errors: `heddle check` shows them.\n");
  }
  std::string out = fmt::format("about {} executions ({} to {})", short_number(e.executions), short_number(e.low),
                                short_number(e.high));
  if (e.blocked >= 0.5) out += fmt::format(", {} blocked", short_number(e.blocked));
  out += fmt::format("; {} to explore them ({}, {})\n", shown_seconds(e.seconds), info.model, info.algorithm);
  out += fmt::format("  from {} random descents in {:.2f} s (compile {:.2f} s)\n", e.descents, info.explore_seconds,
                     info.compile_seconds);
  if (e.with_errors != 0) {
    out += fmt::format("  {} of the descents met an error: `heddle check` stops at the first\n", e.with_errors);
  }
  if (e.high > 4 * e.low) out += "  The descents differ widely: this is a guess at the order of magnitude.\n";
  return out;
}

std::string json_of(const RunInfo& info, const Estimate& e) {
  nlohmann::ordered_json out;
  out["version"] = info.version;
  out["files"] = info.files;
  out["model"] = info.model;
  out["algorithm"] = info.algorithm;
  out["estimate"] = {{"executions", e.executions},
                     {"low", e.low},
                     {"high", e.high},
                     {"blocked", e.blocked},
                     {"seconds", e.seconds},
                     {"descents", e.descents},
                     {"descents_with_errors", e.with_errors}};
  out["seconds"] = {{"compile", info.compile_seconds}, {"explore", info.explore_seconds}};
  return out.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

Answer estimated(const Options& options, RunInfo& info) {
  const auto start = SteadyClock::now();
  Sources sources = sources_of(options.build.value_or(""), options.files, options.clang_args);
  info.files = sources.files;
  info.warnings = sources.warnings;
  say_warnings(info);
  Program program = compile_files(options, std::move(sources));
  NativeMachine machine(load(std::move(program), library::resolve), native_options(options));
  info.compile_seconds = seconds_since(start);
  enter_sandbox(options);
  begin_exploring(info.compile_seconds);
  const auto explore_start = SteadyClock::now();
  const double seconds = options.time_limit.value_or(kSeconds);
  const Request request = explore_request(options, 0);
  std::optional<Estimate> estimate = explored_whole(machine, request, seconds);
  if (!estimate) {
    const Result result = explore(machine, estimate_request(request, seconds));
    if (const std::string why = why_none(result, machine.image().sites); !why.empty()) throw UserError(why);
    estimate = result.estimate;
  }
  begin_reporting();
  info.explore_seconds = seconds_since(explore_start);
  const Estimate& e = *estimate;
  return {kVerified, options.format == "json" ? json_of(info, e) : text_of(info, e)};
}

}  // namespace

Answer estimate(const Options& options) {
  RunInfo info = run_info(options, "");
  std::string why;
  try {
    return estimated(options, info);
  } catch (const UserError& e) {
    why = e.what();
  } catch (const std::exception& e) {
    why = fmt::format("internal error: {}", e.what());
  }
  if (!why.empty()) std::fprintf(stderr, "heddle: %s\n", why.c_str());
  return {kFailed, options.format == "json" ? json_failure(info, "failed", why) : ""};
}

Forecast::Forecast(Machine& machine, const Request& request) {
  Progress* const progress = stop::progress;
  if (progress == nullptr || !why_not(request.algorithm, request.model, Feature::estimate).empty()) return;
  process_ = fork();
  if (process_ != 0) return;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  signal(SIGINT, SIG_IGN);
  stop::progress = nullptr;
  if (nice(19) == -1 || usleep(static_cast<useconds_t>(kForecastDelay * 1e6)) != 0) _exit(0);
  try {
    const Result result = explore(machine, estimate_request(request, kForecastSeconds));
    if (why_none(result, {}).empty()) {
      progress->low = result.estimate->low;
      progress->high = result.estimate->high;
      progress->expected = result.estimate->executions;
    }
  } catch (...) {  // then there is none
  }
  _exit(0);
}

Forecast::~Forecast() {
  if (process_ <= 0) return;
  kill(process_, SIGKILL);
  waitpid(process_, nullptr, 0);
}

}  // namespace heddle::cli
