// What a command line asks for.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/unroll.hpp"

namespace heddle::cli {

// --format, in the order of the table of outputs.cpp.
inline constexpr std::array<std::string_view, 3> kFormats = {"text", "json", "sarif"};

struct Options {
  std::vector<std::string> files;
  std::vector<std::string> clang_args;  // after --
  std::vector<std::string> words;       // of check: all arguments, as they were given
  std::optional<std::string> build;     // the folder of a build, for its compile_commands.json
  std::string model = "rc11";
  std::string algorithm = "spore";
  std::string races = "report";
  std::string format = "text";
  std::vector<Unroll> unroll;
  std::optional<uint64_t> max_executions;
  std::optional<double> time_limit;      // seconds
  std::optional<uint64_t> memory_limit;  // bytes
  std::optional<uint64_t> nondet;
  uint64_t step_limit = 10'000;
  uint64_t spin_limit = 100'000'000;
  std::optional<uint64_t> jobs;  // unset: as many as there are cores
  bool any_error = false;
  std::optional<std::string> checkpoint;  // of check: a file, as is the next
  std::optional<std::string> resume;
  std::optional<std::string> queue;  // of check, worker, status: a URL
  std::optional<double> lease;       // seconds
  std::optional<bool> symmetry;      // unset: where it is applicable
  std::optional<bool> helping;       // unset: where the theory covers it
  std::optional<bool> psc;           // unset: on
  std::optional<bool> commute;       // unset: on
  std::optional<bool> signals;       // likewise, as are the next
  std::optional<bool> closure;
  std::optional<bool> auxiliary;
  std::optional<bool> greedy;
  std::optional<uint64_t> width;  // of a report, in characters
  std::optional<bool> hints;      // unset: in text
  bool count_duplicates = false;
  bool keep_going = false;
  bool self_check = false;
  std::optional<bool> purity;   // unset: yes
  std::optional<bool> await;    // likewise
  std::optional<bool> retries;  // likewise
  std::string volatiles = "plain";
  std::optional<std::string> suppress;  // a file
  bool spurious_cas = false;
  bool spurious_wakeups = false;
  std::optional<bool> timeouts;  // unset: yes
  bool no_cache = false;
  bool no_sandbox = false;
  bool verbose = false;
  std::optional<bool> progress;  // unset: on a terminal
  bool print_ir = false;
  std::optional<std::string> report;  // of check: a file, as are the next two
  std::optional<std::string> dot;
  std::optional<std::string> junit;  // of test, too
  std::optional<std::string> save;   // of check: a file for the failing execution
  std::string saved;                 // of replay: such a file, as are the next
  bool gdb = false;
  std::vector<std::string> gdb_args;  // after --
  bool in_debugger = false;
  std::optional<std::string> filter;  // of test: names
  bool list = false;                  // of test
  bool help = false;
  bool help_all = false;

  bool asks_for_help() const { return help || help_all; }
  bool keeps_work() const { return checkpoint || resume || queue; }  // so that others can go on with it, or help
};

}  // namespace heddle::cli
