#include "cli/check.hpp"

#include <fmt/format.h>
#include <langinfo.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "cli/build.hpp"
#include "cli/files.hpp"
#include "explore/explore.hpp"
#include "frontend/compile.hpp"
#include "frontend/load.hpp"
#include "library/library.hpp"
#include "library/parts.hpp"
#include "native/native.hpp"
#include "report/json.hpp"
#include "report/places.hpp"
#include "report/text.hpp"

namespace heddle::cli {
namespace {

using SteadyClock = std::chrono::steady_clock;

double seconds_since(SteadyClock::time_point start) {
  return std::chrono::duration<double>(SteadyClock::now() - start).count();
}

uint64_t peak_rss_kib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<uint64_t>(usage.ru_maxrss);
}

Style output_style(const Options& options) {
  Style style;
  style.all_steps = options.verbose;
  std::setlocale(LC_CTYPE, "");
  style.unicode = std::strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
  if (!isatty(STDOUT_FILENO)) return style;
  const char* no_colour = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  style.colour = !(no_colour && *no_colour) && terminal && std::strcmp(terminal, "dumb") != 0;
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    style.width = std::clamp<unsigned>(size.ws_col, 60, 200);
  return style;
}

Request explore_request(const Options& options, double spent) {
  Request r;
  r.algorithm = algorithm_named(options.algorithm).value();
  r.model = model_named(options.model).value();
  r.max_executions = options.max_executions.value_or(0);
  // The time limit is for the whole run. At least one execution is always tried.
  if (options.time_limit) r.time_limit = std::max(*options.time_limit - spent, 1e-3);
  r.keep_going = options.keep_going;
  r.races_ignore = options.races == "ignore";
  r.self_check = options.self_check;
  r.spore.insist_on_symmetry = options.symmetry.value_or(false);
  r.rcmc.count_duplicates = options.count_duplicates;
  r.rcmc.psc = options.psc.value_or(true);
  r.await.commute = options.commute.value_or(true);
  return r;
}

NativeOptions native_options(const Options& options) {
  NativeOptions n;
  n.races_ignore = options.races == "ignore";
  n.spurious_cas = options.spurious_cas;
  n.timeouts = options.timeouts.value_or(true);
  n.spurious_wakeups = options.spurious_wakeups;
  n.nondet_bound = static_cast<unsigned>(options.nondet.value_or(0));
  n.symmetry = options.symmetry.value_or(why_not_feature(options, Feature::symmetry).empty());
  n.helping = options.helping.value_or(why_not_feature(options, Feature::helping).empty());
  n.step_limit = options.step_limit;
  n.spin_limit = options.spin_limit;
  return n;
}

int exit_status(Verdict verdict) {
  switch (verdict) {
    case Verdict::verified: return kVerified;
    case Verdict::error: return kBugFound;
    case Verdict::incomplete: return kIncomplete;
  }
  return kFailed;
}

RunInfo run_info(const Options& options, const std::string& command) {
  RunInfo info;
  info.version = HEDDLE_VERSION;
  info.files = options.files;
  info.model = options.model;
  info.algorithm = options.algorithm;
  info.command = command;
  return info;
}

std::string report_text(const Options& options, const RunInfo& info, const Result& result, const SiteTable& sites) {
  return options.format == "json" ? json_report(info, result, sites)
                                  : text_report(info, result, sites, output_style(options));
}

class Check {
 public:
  Check(const Options& options, const std::string& command) : options_(options), info_(run_info(options, command)) {}

  Answer run() {
    Sources sources = sources_of(options_.build, options_.files);
    for (const std::string& file : sources.files) require_file(file);
    info_.files = sources.files;
    Program program =
        compile({.files = std::move(sources.files),
                 .clang_args = options_.clang_args,
                 .build = std::move(sources.commands),
                 .cache = !options_.no_cache,
                 .unroll = options_.unroll,
                 .library = library::parts(),
                 .await = options_.await.value_or(true),
                 .purity = options_.purity.value_or(true),
                 .volatile_is_relaxed = options_.volatiles == "relaxed",
                 .commute = options_.algorithm == name(Algorithm::await) && options_.commute.value_or(true),
                 .only_waits = library::only_waits,
                 .assumes = library::assumes,
                 .pausing = library::pausing,
                 .tells_changes = library::tells_changes});
    for (const LoopNote& loop : program.loops())
      say(fmt::format("loop at {}: {}", shown_place(user_site(program.sites(), loop.site)), loop.what));
    if (options_.print_ir) return {kVerified, print_ir(program)};
    NativeMachine machine(load(std::move(program), library::resolve), native_options(options_));
    info_.compile_seconds = seconds_since(start_);
    say(fmt::format("compiled in {:.3f} s, {} places in the source", info_.compile_seconds,
                    machine.image().sites.size()));

    begin_exploring(info_.compile_seconds);
    const auto explore_start = SteadyClock::now();
    const Result result = explore(machine, explore_request(options_, seconds_since(start_)));
    begin_reporting();
    info_.explore_seconds = seconds_since(explore_start);
    for (const std::string& note : result.notes) say(note);
    say(fmt::format("explored in {:.3f} s", info_.explore_seconds));
    return {exit_status(result.verdict), report(result, machine.image().sites)};
  }

  // There is no verdict.
  Answer failure(const std::string& message) {
    info_.peak_rss_kib = peak_rss_kib();
    info_.total_seconds = seconds_since(start_);
    return {kFailed, options_.format == "json" ? json_failure(info_, "failed", message) : ""};
  }

 private:
  void say(const std::string& text) const {
    if (options_.verbose) std::fprintf(stderr, "heddle: %s\n", text.c_str());
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
    // What clang had to say is on stderr already.
    if (*e.what()) std::fprintf(stderr, "heddle: %s\n", e.what());
    return check.failure(e.what());
  } catch (const std::exception& e) {
    std::fprintf(stderr,
                 "heddle: internal error: %s\n"
                 "There is no verdict. Please report this together with the program and the command.\n",
                 e.what());
    return check.failure(fmt::format("internal error: {}", e.what()));
  }
}

}  // namespace heddle::cli
