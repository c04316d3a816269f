// What `heddle check --save` writes and `heddle replay` reads: the command, what it was about, and the execution.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/options.hpp"
#include "core/result.hpp"
#include "frontend/program/program.hpp"
#include "native/native.hpp"
#include "report/run.hpp"

namespace heddle::cli {

struct SavedRun {
  struct Source {
    std::string file;  // as in the command, or absolute
    uint64_t hash = 0;
  };
  // Where a variable or function of the program lies.
  struct Landmark {
    std::string name;
    Address address = 0;
    uint64_t size = 0;
  };

  std::string version;             // of heddle
  std::vector<std::string> words;  // the arguments of the check
  std::string command;             // as the report tells it
  std::string folder;              // where it ran
  std::vector<Source> sources;
  uint64_t code = 0;  // a hash of the program as LLVM has it: the options and the sources decide the rest
  std::vector<Landmark> landmarks;
  std::string execution;  // explore/saved.hpp
};

uint64_t code_of(const Program& program);
std::vector<SavedRun::Landmark> landmarks_of(const Image& image);

// Writes the first finding to options.save. Throws UserError, std::runtime_error.
void save_run(const Options& options, const RunInfo& info, const Result& result, NativeMachine& machine, uint64_t code);
// Throws UserError if the file is none of ours, damaged, cut off, or of another version.
SavedRun load_run(const std::string& file);
// Throws UserError, which names the file, if one has changed. The folder of the run is the current one.
void require_same_sources(const SavedRun& saved);

// What to type. `command` is that of the check.
std::string replay_command(const std::string& command, const std::string& file);

}  // namespace heddle::cli
