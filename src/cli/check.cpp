#include "cli/check.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <optional>

#include "cli/build.hpp"
#include "cli/checkpoint.hpp"
#include "cli/estimate.hpp"
#include "cli/failure.hpp"
#include "cli/orders.hpp"
#include "cli/outputs.hpp"
#include "cli/run.hpp"
#include "cli/saved_run.hpp"
#include "cli/worker.hpp"
#include "explore/explore.hpp"
#include "frontend/load/load.hpp"
#include "library/library.hpp"
#include "native/native.hpp"
#include "report/places.hpp"

namespace heddle::cli {
namespace {

class Check {
 public:
  Check(const Options& options, const std::string& command) : options_(options), info_(run_info(options, command)) {}

  Answer run() {
    const NativeOptions native = native_options(options_);
    Sources sources = sources_of(options_.build.value_or(""), options_.files, options_.clang_args);
    info_.files = sources.files;
    info_.warnings = sources.warnings;
    Program program = compile_files(options_, std::move(sources));
    if (options_.print_ir) return {kVerified, print_ir(program)};
    const uint64_t code = options_.save || options_.keeps_work() ? code_of(program) : 0;
    const std::string bitcode = program.bitcode();
    NativeMachine machine(load(std::move(program), library::resolve), native);
    info_.compile_seconds = seconds_since(start_);
    say_if_verbose(options_, fmt::format("compiled in {:.3f} s, {} places in the source", info_.compile_seconds,
                                         machine.image().sites.size()));

    Request request = explore_request(options_, seconds_since(start_));
    request.on_finding = [&](const Finding& finding) { note_down(finding, machine.image().sites); };
    std::optional<Checkpoint> checkpoint;
    std::optional<redis::RedisQueue> queue;
    if (options_.queue) {
      queue.emplace(*options_.queue);
      open_queue(*queue, options_, identity_of(options_, code, machine, request), bitcode);
      request.queue = &*queue;
    } else if (options_.keeps_work()) {
      checkpoint.emplace(options_, identity_of(options_, code, machine, request));
      request.queue = &checkpoint->queue();
    }
    enter_sandbox(options_);
    begin_exploring(info_.compile_seconds);
    const auto explore_start = SteadyClock::now();
    Result result = explored(machine, request);
    if (queue) queue->finish();
    info_.explore_seconds = seconds_since(explore_start);
    if (options_.hints.value_or(options_.format == "text" || options_.report))
      advise(machine, options_, seconds_since(start_), result);
    begin_reporting();
    for (const std::string& note : result.notes) say_if_verbose(options_, note);
    for (const FollowedLoop& f : result.followed)
      say_if_verbose(options_, "followed: " + shown_followed(f, machine.image().sites));
    say_if_verbose(options_, fmt::format("explored in {:.3f} s", info_.explore_seconds));
    const auto [returns, restarts, forgotten] = machine.returns();
    say_if_verbose(options_, fmt::format("went back {} times, {} of them by a restart; {} times something had changed "
                                         "that cannot be undone",
                                         returns, restarts, forgotten));
    if (options_.save && !result.findings.empty()) save(result, machine, code);
    return {exit_status(result.verdict), put_out(options_, info(), result, machine.image().sites)};
  }

  RunInfo info() {
    info_.peak_rss_kib = peak_rss_kib();
    info_.total_seconds = seconds_since(start_);
    return info_;
  }

 private:
  Result explored(NativeMachine& machine, const Request& request) {
    std::optional<Forecast> forecast;
    if (status_style(options_.progress) != StatusStyle::none) forecast.emplace(machine, request);
    return explore(machine, request);
  }

  // What cannot be saved is still a bug.
  void save(const Result& result, NativeMachine& machine, uint64_t code) {
    try {
      save_run(options_, info_, result, machine, code);
      info_.replay = replay_command(info_.command, *options_.save);
    } catch (const std::runtime_error& e) {
      std::fprintf(stderr, "heddle: %s: the execution is not saved: %s\n", options_.save->c_str(), e.what());
    }
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
  if (options.save && !cut.result.findings.empty())
    std::fprintf(stderr, "heddle: %s: the execution is not saved: the run was killed\n", options.save->c_str());
  return put_out(options, info, cut.result, cut.sites);
}

Answer check(const Options& options, const std::string& command) {
  Check check(options, command);
  return or_failure(options, [&] { return check.run(); }, [&] { return check.info(); });
}

}  // namespace heddle::cli
