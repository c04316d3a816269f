#include "library/library.hpp"

#include <dlfcn.h>

#include <string>
#include <unordered_map>

#include "core/assert.hpp"
#include "library/table.hpp"
#include "native/host.hpp"

namespace heddle::library {
namespace {

using Table = std::unordered_map<std::string, Row>;

const Table& table() {
  static const auto* const all = [] {
    auto* const t = new Table;
    for (const auto& rows :
         {thread_functions(),    attribute_functions(), mutex_functions(),  memory_functions(),    string_functions(),
          wide_functions(),      number_functions(),    stdio_functions(),  scan_functions(),      stdlib_functions(),
          clock_functions(),     random_functions(),    system_functions(), verifier_functions(),  hazard_functions(),
          helping_functions(),   exception_functions(), cast_functions(),   container_functions(), stream_functions(),
          cxx_functions(),       native_functions(),    math_functions(),   condition_functions(), rwlock_functions(),
          semaphore_functions(), futex_functions(),     test_functions()})
      for (const Row& r : rows) {
        [[maybe_unused]] const bool is_new = t->emplace(r.name, r).second;
        HEDDLE_ASSERT(is_new);
      }
    // Clocks that are read only to say how long to wait (frontend/loops/time_limits.cpp).
    for (const Row& r : clock_functions()) {
      if ((r.flags & kTellsTime) != 0)
        t->emplace("__heddle_for_limit_" + std::string(r.name), Row{r.name, r.address, kTellsChanges});
    }
    for (const Row& r : math_functions())
      for (const char suffix : {'f', 'l'}) t->emplace(std::string(r.name) + suffix, r);
    return t;
  }();
  return *all;
}

Image::Uses uses(unsigned flags) {
  return {.tells_threads_apart = (flags & kTellsThreadsApart) != 0,
          .hazard_pointers = (flags & kNeedsHazardPointers) != 0,
          .standard_streams = (flags & kStandardStreams) != 0,
          .futex_bits = (flags & kFutexBits) != 0,
          .futex_moves = (flags & kFutexMoves) != 0,
          .clocks = (flags & kTellsTime) != 0};
}

}  // namespace

unsigned flags(std::string_view name) {
  HostScope scope;
  const auto it = table().find(std::string(name));
  return it != table().end() ? it->second.flags : is_native_type(name) ? kNative : 0;
}

bool assumes(std::string_view name) { return (flags(name) & kAssumes) != 0; }
Pausing pausing(std::string_view name) {
  const unsigned f = flags(name);
  return f & kYields      ? Pausing::yields
         : f & kSleeps    ? Pausing::sleeps
         : f & kTellsTime ? Pausing::tells_time
                          : Pausing::none;
}
bool tells_changes(std::string_view name) {
  return (flags(name) & (kNoSideEffects | kTellsChanges | kYields | kSleeps)) != 0;
}
bool frees(std::string_view name) { return (flags(name) & kFrees) != 0; }
bool takes_limit(std::string_view name) { return (flags(name) & kTakesLimit) != 0; }
bool gives_back(std::string_view name) { return (flags(name) & kGivesBack) != 0; }

Symbol resolve(std::string_view symbol) {
  HostScope scope;
  // Variables of the C library. The second one tells libstdc++ whether it may do without atomics: always the same
  // answer.
  static int handle = 0;
  static char single_threaded = 0;
  if (symbol == "__dso_handle") return {&handle, {}, {}};
  if (symbol == "__libc_single_threaded") return {&single_threaded, {}, {}};
  const std::string name(symbol);
  const auto it = table().find(name);
  if (it != table().end() && it->second.address != nullptr) return {it->second.address, uses(it->second.flags), {}};
  const unsigned found = it != table().end() ? it->second.flags : is_native_type(symbol) ? kNative : 0;
  void* const p = (found & kNative) != 0 ? dlsym(RTLD_DEFAULT, name.c_str()) : nullptr;
  return p == nullptr ? Symbol{nullptr, {}, why_unsupported(name)} : Symbol{p, uses(found), {}};
}

}  // namespace heddle::library
