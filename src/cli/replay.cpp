#include "cli/replay.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <map>

#include "cli/build.hpp"
#include "cli/failure.hpp"
#include "cli/gdb.hpp"
#include "cli/outputs.hpp"
#include "cli/run.hpp"
#include "cli/supervise.hpp"
#include "core/error.hpp"
#include "explore/saved.hpp"
#include "frontend/load/load.hpp"
#include "image/region.hpp"
#include "library/library.hpp"
#include "native/native.hpp"

namespace heddle::cli {
namespace {

// Where a program that is compiled for a debugger has what lies elsewhere in the checked one: by names, and those of
// the same name by their order.
class Moves {
 public:
  Moves(const std::vector<SavedRun::Landmark>& before, const std::vector<SavedRun::Landmark>& now) {
    std::map<std::string, std::vector<Address>> found;
    for (const SavedRun::Landmark& l : now) found[l.name].push_back(l.address);
    std::map<std::string, std::size_t> used;
    for (const SavedRun::Landmark& l : before) {
      const auto& there = found[l.name];
      const std::size_t n = used[l.name]++;
      if (n < there.size()) moves_[l.address] = {l.size, there[n]};
    }
  }

  uint64_t operator()(uint64_t value) const {
    if (!region::in_image(value)) return value;
    const auto after = moves_.upper_bound(value);
    if (after == moves_.begin()) return value;
    const auto& [start, move] = *std::prev(after);
    return value - start <= move.size ? move.to + (value - start) : value;
  }

 private:
  struct Move {
    uint64_t size = 0;
    Address to = 0;
  };
  std::map<Address, Move> moves_;
};

class Replay {
 public:
  Replay(const Options& options, const SavedRun& saved)
      : options_(options), saved_(saved), info_(run_info(options, saved.command)) {
    info_.replay = replay_command(saved.command, options.saved);
  }

  Answer run() {
    require_same_sources(saved_);
    Sources sources = sources_of(options_.build.value_or(""), options_.files, options_.clang_args);
    info_.files = sources.files;
    info_.warnings = sources.warnings;
    Program program = compile_files(options_, std::move(sources));
    if (!options_.in_debugger && code_of(program) != saved_.code) refuse();
    NativeMachine machine(load(std::move(program), library::resolve), native_options(options_));
    info_.compile_seconds = seconds_since(start_);

    enter_sandbox(options_);
    begin_exploring(info_.compile_seconds);
    const auto replay_start = SteadyClock::now();
    const Result result = replay_execution(saved_.execution, machine, hooks(machine));
    if (options_.in_debugger) tell_debugger_end(machine, result);
    info_.explore_seconds = seconds_since(replay_start);
    begin_reporting();
    return {exit_status(result.verdict), put_out(options_, info(), result, machine.image().sites)};
  }

  RunInfo info() {
    info_.peak_rss_kib = peak_rss_kib();
    info_.total_seconds = seconds_since(start_);
    return info_;
  }

 private:
  [[noreturn]] void refuse() const {
    throw UserError(fmt::format(
        "{}: the program is another one than when the execution was saved, although the files that it names are "
        "the same: a header with no code, the compiler, its arguments or heddle has changed; check again: {}",
        options_.saved, saved_.command));
  }

  ReplayHooks hooks(NativeMachine& machine) const {
    const uint64_t sites = machine.image().sites.size();
    if (!options_.in_debugger) return {{}, {}, sites};
    return {debugger_hook(machine), Moves(saved_.landmarks, landmarks_of(machine.image())), sites};
  }

  const Options& options_;
  const SavedRun& saved_;
  const SteadyClock::time_point start_ = SteadyClock::now();
  RunInfo info_;
};

}  // namespace

void enter_folder_of(const SavedRun& saved, Options& options) {
  namespace fs = std::filesystem;
  std::error_code error;
  for (std::optional<std::string>* file : {&options.report, &options.dot}) {
    if (*file) *file = fs::absolute(**file).string();
  }
  if (options.gdb) options.saved = fs::absolute(options.saved).string();
  fs::current_path(saved.folder, error);
  if (error) {
    throw UserError(fmt::format("{}: the check ran in the folder {}, which cannot be entered: {}", options.saved,
                                saved.folder, error.message()));
  }
}

Answer replay(const Options& options, const SavedRun& saved) {
  Replay replay(options, saved);
  return or_failure(options, [&] { return replay.run(); }, [&] { return replay.info(); });
}

}  // namespace heddle::cli
