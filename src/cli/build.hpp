// What -p says: how a build compiles its files, from its compile_commands.json.
#pragma once

#include <string>
#include <vector>

#include "frontend/program/request.hpp"

namespace heddle::cli {

struct Sources {
  std::vector<std::string> files;
  std::vector<BuildCommand> commands;   // of each file; empty without -p
  std::vector<std::string> clang_args;  // for each run of clang
  std::vector<std::string> warnings{};  // what to know before trusting a verdict
};

// The files that the names stand for: a file itself, a folder the files of the build in it and below it, and any other
// name a target of CMake. `build` is the folder with compile_commands.json, or empty. Throws UserError, with what to
// do.
//
// A release build defines NDEBUG, and then assert() checks nothing. All files are compiled without it, unless
// `clang_args` say otherwise: some with and some without could disagree on how their types are laid out.
Sources sources_of(const std::string& build, const std::vector<std::string>& names,
                   const std::vector<std::string>& clang_args);

// The words of a command as a shell would split it. Throws UserError for a quotation that does not end.
std::vector<std::string> shell_words(const std::string& command);

}  // namespace heddle::cli
