#include "cli/run.hpp"

#include <fmt/format.h>
#include <langinfo.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "cli/command_line.hpp"
#include "cli/courier.hpp"
#include "cli/files.hpp"
#include "cli/supervise.hpp"
#include "library/library.hpp"
#include "library/parts.hpp"
#include "native/sandbox.hpp"
#include "report/places.hpp"

namespace heddle::cli {

uint64_t peak_rss_kib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<uint64_t>(usage.ru_maxrss);
}

std::string shell_quoted(const std::string& word) {
  const bool plain = !word.empty() && word.find_first_not_of(
                                          "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                          "0123456789_-+=./:,@%") == std::string::npos;
  if (plain) return word;
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? "'\\''" : std::string(1, c);
  return out + "'";
}

Style output_style(const Options& options) {
  Style style;
  style.all_steps = options.verbose;
  std::setlocale(LC_CTYPE, "");
  style.unicode = std::strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
  if (options.width) style.width = static_cast<unsigned>(*options.width);
  if (!isatty(STDOUT_FILENO)) return style;
  const char* no_colour = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  style.colour = !(no_colour && *no_colour) && terminal && std::strcmp(terminal, "dumb") != 0;
  winsize size{};
  if (!options.width && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    style.width = std::clamp<unsigned>(size.ws_col, 60, 200);
  return style;
}

uint64_t cores() {
  cpu_set_t set;
  return sched_getaffinity(0, sizeof set, &set) == 0 ? static_cast<uint64_t>(CPU_COUNT(&set)) : 1;
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
  r.any_error = options.any_error;
  r.jobs = static_cast<unsigned>(options.jobs.value_or(cores()));
  r.spore.insist_on_symmetry = options.symmetry.value_or(false);
  r.spore.insist_on_helping = options.helping.value_or(false);
  r.rcmc.count_duplicates = options.count_duplicates;
  r.rcmc.psc = options.psc.value_or(true);
  r.arrivals = r.await.commute = options.commute.value_or(true);
  r.rvf = {.signals = options.signals.value_or(true),
           .closure = options.closure.value_or(true),
           .auxiliary = options.auxiliary.value_or(true),
           .greedy = options.greedy.value_or(true)};
  return r;
}

NativeOptions native_options(const Options& options) {
  NativeOptions n;
  n.races_ignore = options.races == "ignore";
  n.spurious_cas = options.spurious_cas;
  n.timeouts = options.timeouts.value_or(true);
  n.spurious_wakeups = options.spurious_wakeups;
  n.take_back = options.retries.value_or(true);
  n.nondet_bound = static_cast<unsigned>(options.nondet.value_or(0));
  n.symmetry = options.symmetry.value_or(why_not_feature(options, Feature::symmetry).empty());
  n.helping = options.helping.value_or(why_not_feature(options, Feature::helping).empty());
  n.step_limit = options.step_limit;
  n.spin_limit = options.spin_limit;
  if (options.suppress) n.suppressions = parse_suppressions(contents_of(*options.suppress), *options.suppress);
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

void say_if_verbose(const Options& options, const std::string& text) {
  if (options.verbose) std::fprintf(stderr, "heddle: %s\n", text.c_str());
}

void say_warnings(const RunInfo& info) {
  for (const std::string& warning : info.warnings) std::fprintf(stderr, "heddle: warning: %s\n", warning.c_str());
}

void enter_sandbox(const Options& options, bool warns) {
  if (options.no_sandbox) return;
  const std::string what = sandbox::enter(options.queue.has_value());
  if (sandbox::entered()) {
    say_if_verbose(options, what);
    leave_files_to_parent();
  } else if (warns) {
    std::fprintf(stderr, "heddle: %s; with --no-sandbox this is not said\n", what.c_str());
  }
}

namespace {

CompileRequest compile_request(const Options& options) {
  return {.files = {},
          .cache = !options.no_cache,
          .unroll = options.unroll,
          .library = library::parts(),
          .await = options.await.value_or(true),
          .purity = options.purity.value_or(true),
          .retries = options.retries.value_or(true),
          .volatile_is_relaxed = options.volatiles == "relaxed",
          .commute = options.algorithm == name(Algorithm::await) && options.commute.value_or(true),
          .for_debugger = options.in_debugger,
          .portable = options.queue.has_value(),
          .assumes = library::assumes,
          .pausing = library::pausing,
          .tells_changes = library::tells_changes,
          .takes_limit = library::takes_limit,
          .gives_back = library::gives_back,
          .frees = library::frees};
}

Program compiled(const Options& options, const CompileRequest& request) {
  Program program = compile(request);
  for (const LoopNote& loop : program.loops())
    say_if_verbose(options,
                   fmt::format("loop at {}: {}", shown_place(user_site(program.sites(), loop.site)), loop.what));
  return program;
}

}  // namespace

Program compile_files(const Options& options, Sources sources) {
  for (const std::string& file : sources.files) require_file(file);
  CompileRequest request = compile_request(options);
  request.files = std::move(sources.files);
  request.clang_args = std::move(sources.clang_args);
  request.build = std::move(sources.commands);
  return compiled(options, request);
}

Program compile_bitcode(const Options& options, const std::string& bitcode) {
  CompileRequest request = compile_request(options);
  request.bitcode = bitcode;
  return compiled(options, request);
}

}  // namespace heddle::cli
