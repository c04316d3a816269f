// What `heddle check` and `heddle test` do alike: from the options to a program, a machine, an exploration, a report.
#pragma once

#include <string>
#include <vector>

#include "cli/build.hpp"
#include "cli/options.hpp"
#include "core/result.hpp"
#include "core/steady_clock.hpp"
#include "explore/explore.hpp"
#include "frontend/compile.hpp"
#include "native/options.hpp"
#include "report/run.hpp"
#include "report/steps.hpp"

namespace heddle::cli {

uint64_t peak_rss_kib();
// That this process may use.
uint64_t cores();
// A word as a shell reads it.
std::string shell_quoted(const std::string& word);
Style output_style(const Options& options);
// On stderr, with --verbose.
void say_if_verbose(const Options& options, const std::string& text);
// Before anything of the program runs, unless the user does not want it.
void enter_sandbox(const Options& options, bool warns = true);

// Compiles these files, and says what becomes of their loops.
Program compile_files(const Options& options, Sources sources);
// For answers that have no place for them.
void say_warnings(const RunInfo& info);
// The same from Program::bitcode().
Program compile_bitcode(const Options& options, const std::string& bitcode);
NativeOptions native_options(const Options& options);
// `spent`: seconds of the time limit that are gone.
Request explore_request(const Options& options, double spent);

int exit_status(Verdict verdict);
RunInfo run_info(const Options& options, const std::string& command);

}  // namespace heddle::cli
