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

#include "cli/files.hpp"
#include "cli/supervise.hpp"
#include "explore/rcmc.hpp"
#include "explore/spore.hpp"
#include "frontend/compile.hpp"
#include "frontend/load.hpp"
#include "library/library.hpp"
#include "native/native.hpp"
#include "report/json.hpp"
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

ExploreOptions explore_options(const Options& options, double spent) {
  ExploreOptions e;
  e.max_executions = options.max_executions.value_or(0);
  // The time limit is for the whole run. At least one execution is always tried.
  if (options.time_limit) e.time_limit = std::max(*options.time_limit - spent, 1e-3);
  e.keep_going = options.keep_going;
  e.races_ignore = options.races == "ignore";
  e.count_duplicates = options.count_duplicates;
  e.psc = options.psc.value_or(true);
  e.plain_events = e.races_ignore;
  return e;
}

NativeOptions native_options(const Options& options) {
  NativeOptions n;
  n.races_ignore = options.races == "ignore";
  n.spurious_cas = options.spurious_cas;
  n.nondet_bound = static_cast<unsigned>(options.nondet.value_or(0));
  n.symmetry = options.symmetry.value_or(options.algorithm == "spore");
  n.helping = options.helping.value_or(helping_is_covered(options));
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

class Check {
 public:
  Check(const Options& options, const std::string& command) : options_(options) {
    info_.version = HEDDLE_VERSION;
    info_.files = options.files;
    info_.model = options.model;
    info_.algorithm = options.algorithm;
    info_.command = command;
  }

  int run() {
    for (const std::string& file : options_.files) require_file(file);
    Program program =
        compile({options_.files, options_.clang_args, static_cast<unsigned>(options_.unroll.value_or(0))});
    if (options_.print_ir) {
      std::fputs(print_ir(program).c_str(), stdout);
      return kVerified;
    }
    NativeMachine machine(load(std::move(program), library::resolve), native_options(options_));
    info_.compile_seconds = seconds_since(start_);
    say(fmt::format("compiled in {:.3f} s, {} places in the source", info_.compile_seconds,
                    machine.image().sites.size()));

    const auto explore_start = SteadyClock::now();
    const Result result = explore(machine);
    info_.explore_seconds = seconds_since(explore_start);
    say(fmt::format("explored in {:.3f} s", info_.explore_seconds));
    report(result, machine.image().sites);
    return exit_status(result.verdict);
  }

 private:
  // Twins that nobody declared are heddle's own idea. Where it turns out that they cannot be exchanged, all executions
  // are looked at.
  Result explore(NativeMachine& machine) {
    const ModelKind model = model_named(options_.model).value();
    if (options_.algorithm == "rcmc") return explore_by_rcmc(machine, model);
    Result result = explore_spore(machine, model, explore_options(options_, seconds_since(start_)));
    const auto refused = std::ranges::find(result.findings, ErrorKind::symmetry, [](auto& f) { return f.error.kind; });
    if (refused == result.findings.end() || options_.symmetry) return result;
    say("no symmetry but what is declared: " + refused->error.message);
    machine.find_no_twins();
    return explore_spore(machine, model, explore_options(options_, seconds_since(start_)));
  }

  // In an execution that breaks the SC axiom, plain accesses may race although they never do in fact, and then what
  // they read depends on the schedule. Where rcmc meets one, they become events, which have no such problem.
  Result explore_by_rcmc(NativeMachine& machine, ModelKind model) {
    ExploreOptions options = explore_options(options_, seconds_since(start_));
    Result result = explore_rcmc(machine, model, options);
    if (!result.needs_plain_events) return result;
    say("plain accesses become events: an execution breaks the SC axiom");
    machine.show_plain_accesses();
    options = explore_options(options_, seconds_since(start_));
    options.plain_events = true;
    return explore_rcmc(machine, model, options);
  }

  void say(const std::string& text) const {
    if (options_.verbose) std::fprintf(stderr, "heddle: %s\n", text.c_str());
  }

  void report(const Result& result, const SiteTable& sites) {
    info_.peak_rss_kib = peak_rss_kib();
    info_.total_seconds = seconds_since(start_);
    const std::string text = options_.format == "json" ? json_report(info_, result, sites)
                                                       : text_report(info_, result, sites, output_style(options_));
    std::fwrite(text.data(), 1, text.size(), stdout);
  }

  const Options& options_;
  const SteadyClock::time_point start_ = SteadyClock::now();
  RunInfo info_;
};

}  // namespace

int check(const Options& options, const std::string& command) {
  try {
    return Check(options, command).run();
  } catch (const UserError& e) {
    // What clang had to say is on stderr already.
    if (*e.what()) std::fprintf(stderr, "heddle: %s\n", e.what());
    return kFailed;
  }
}

}  // namespace heddle::cli
