// A stand-in for the native machine: one thread, every access done at once on real memory and written down.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/action.hpp"
#include "core/mode.hpp"
#include "frontend/compile.hpp"
#include "image/image.hpp"

namespace heddle::testing {

struct Call {
  std::string name;  // of the runtime function, without "__heddle_"
  void* p = nullptr;
  uint64_t size = 0;
  uint64_t value = 0;
  int mode = 0;
  uint32_t site = 0;
};

// What the program did since the last run.
std::vector<Call>& calls();
std::size_t count(std::string_view name);
// How often it has told of addresses, by entry point; for the test to clear.
extern std::map<std::string, unsigned> watched;

// What it said that it waits for; for the test to clear.
struct Awaited {
  Await await;
  Value expected;
  Condition condition;  // of Await::holds
  bool in_round;        // something was read before it

  bool goes_on(int read) const { return satisfied(await, expected, &condition, {static_cast<uint32_t>(read), 0}); }
};
extern std::vector<Awaited> awaited;
// Whether a counted spin jumps to its last round after the first.
extern bool jumps;

// Thrown out of the program by __heddle_cut, __heddle_trap and an empty tank.
struct Stopped {
  std::string why;
  uint32_t site = 0;
};

// Any function or variable of this process.
Symbol find_symbol(std::string_view name);

// Writes the text to a file that is removed at the end.
class SourceFile {
 public:
  explicit SourceFile(std::string_view text, const char* extension = ".c");
  ~SourceFile();
  SourceFile(const SourceFile&) = delete;
  SourceFile& operator=(const SourceFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

Program compile_text(std::string_view text, const char* extension = ".c", std::vector<Unroll> unroll = {});
Image load_text(std::string_view text, const char* extension = ".c", std::vector<Unroll> unroll = {});

// Constructors, then main. Throws Stopped.
int run(const Image& image);
int run_text(std::string_view text, const char* extension = ".c", std::vector<Unroll> unroll = {});

}  // namespace heddle::testing
