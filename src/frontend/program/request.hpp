// What the front end is asked for. Nothing of LLVM shows in this header.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/unroll.hpp"
#include "image/library_part.hpp"
#include "image/pausing.hpp"

namespace heddle {

// Says something of the library function of this name.
using OfFunction = std::function<bool(std::string_view name)>;

// What a library function of this name has to do with time.
using PausingOf = std::function<Pausing(std::string_view name)>;

// How a build compiles a file.
struct BuildCommand {
  std::vector<std::string> words;  // the whole command; what tells how the file is read counts
  std::string folder;              // where it runs
};

struct CompileRequest {
  std::vector<std::string> files;       // .c .i | .cpp .cc .cxx .C .ii | .ll .bc
  std::vector<std::string> clang_args;  // passed to each run of clang
  std::vector<BuildCommand> build{};    // of each file, in order; empty: there is no build
  bool cache = false;                   // what clang makes is kept for later runs
  std::vector<Unroll> unroll;
  std::span<const LibraryPart> library{};  // linked with the program where it needs them
  bool await = true;                       // a loop that waits for one value is an await, and an assumption
  bool purity = true;                      // a round of a loop that changes nothing waits
  bool retries = true;                     // a failed first try of a retry loop is left out
  bool volatile_is_relaxed = false;        // volatile accesses are relaxed atomic ones
  bool commute = false;                    // rmws say whether their results are unused
  bool for_debugger = false;               // lines and variables are kept, and told to gdb; no O2
  bool portable = false;                   // Program::bitcode() is wanted
  std::string bitcode = {};                // of such a program, instead of the files
  OfFunction assumes = [](std::string_view) { return false; };  // it stops the thread if its one argument is 0
  PausingOf pausing = [](std::string_view) { return Pausing::none; };
  OfFunction tells_changes = [](std::string_view) { return false; };  // the machine knows what it changes
  OfFunction takes_limit = [](std::string_view) { return false; };    // of numbers, which it uses as that only
  OfFunction gives_back = [](std::string_view) { return false; };     // a mutex that others may take now
  OfFunction frees = [](std::string_view) { return false; };          // memory
};

}  // namespace heddle
