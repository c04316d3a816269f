// The front end: C, C++ or LLVM files in, one instrumented and optimised module out.
//
//   clang ──► link ──► mark ──► simplify ──► instrument ──► optimise      (then load.hpp)
//
// Nothing of LLVM shows in this header.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/ids.hpp"
#include "core/site.hpp"
#include "core/unroll.hpp"
#include "image/library_part.hpp"
#include "image/pausing.hpp"

namespace heddle {

// Says something of the library function of this name.
using OfFunction = std::function<bool(std::string_view name)>;

// What a library function of this name has to do with time.
using PausingOf = std::function<Pausing(std::string_view name)>;

// What becomes of a loop of the program.
struct LoopNote {
  SiteId site;
  std::string what;
};

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
  bool commute = false;                    // rmws say that nobody uses their results
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

// A function or variable that the program uses and does not define.
struct External {
  std::string name;
  SiteId site = kNoSite;  // its first use
  bool function = true;
  bool weak = false;  // may stay undefined, and is null then
};

class Program {
 public:
  struct Impl;  // frontend/program/impl.hpp

  explicit Program(std::unique_ptr<Impl> impl);
  Program(Program&&) noexcept;
  Program& operator=(Program&&) noexcept;
  ~Program();

  const std::vector<External>& externals() const;
  const SiteTable& sites() const;
  const std::vector<LoopNote>& loops() const;
  // What the program was made of, all files as one. The same comes of it with the same options, on another machine,
  // too. Empty unless it was asked for.
  const std::string& bitcode() const;

  Impl& impl() { return *impl_; }
  const Impl& impl() const { return *impl_; }

 private:
  std::unique_ptr<Impl> impl_;
};

// Throws UserError. What clang says goes to stderr as it is.
Program compile(const CompileRequest& request);

// The module as LLVM assembly, for debugging.
std::string print_ir(const Program& program);

}  // namespace heddle
