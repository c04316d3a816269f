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

#if HEDDLE_CHECKED

// What is wrong with a row; nothing if all is well.
std::string check(const Row& r) {
  const auto has = [&](unsigned flags) { return (r.flags & flags) != 0; };
  const std::string of = " (" + std::string(r.name) + ")";
  constexpr unsigned kPauses = kYields | kSleeps | kTellsTime;
  if (r.name.empty() || (r.address == nullptr) != has(kNative)) return "a row has no function, or two" + of;
  if (has(kNoSideEffects) && has(kTellsChanges)) return "what has no side effects has no changes to tell" + of;
  if ((r.flags & kPauses & ((r.flags & kPauses) - 1)) != 0) return "a row pauses in two ways" + of;
  if (has(kYields) && r.flags != kYields) return "what yields does nothing else" + of;
  if (has(kFrees) && r.flags != kFrees) return "what frees memory does nothing else" + of;
  if (has(kGivesBack) && !has(kTellsChanges)) return "to give back a mutex is a change" + of;
  if (has(kAssumes) && !has(kNoSideEffects)) return "an assumption has no effects" + of;
  if (has(kTakesLimit) && !has(kNoSideEffects | kTellsChanges | kSleeps)) return "a time limit is not waited for" + of;
  if (has(kFutexBits | kFutexMoves) && !has(kTellsThreadsApart)) return "a futex tells threads apart" + of;
  return "";
}

#endif

const Table& table() {
  static const auto* const all = [] {
    auto* const t = new Table;
    for (const auto& rows : {thread_functions(),    attribute_functions(), mutex_functions(),     memory_functions(),
                             string_functions(),    wide_functions(),      number_functions(),    stdio_functions(),
                             scan_functions(),      stdlib_functions(),    clock_functions(),     random_functions(),
                             system_functions(),    verifier_functions(),  hazard_functions(),    helping_functions(),
                             exception_functions(), cast_functions(),      container_functions(), stream_functions(),
                             cxx_functions(),       native_functions(),    math_functions(),      condition_functions(),
                             rwlock_functions(),    semaphore_functions(), barrier_functions(),   futex_functions(),
                             test_functions(),      processor_functions()})
      for (const Row& r : rows) {
        [[maybe_unused]] const bool is_new = t->emplace(r.name, r).second;
        HEDDLE_ASSERT(is_new);
        HEDDLE_ASSERT_WHOLE(check(r));
      }
    // Clocks that are read only to say how long to wait (frontend/loops/time_limits.cpp).
    for (const Row& r : clock_functions()) {
      if ((r.flags & kTellsTime) != 0)
        t->emplace("__heddle_for_limit_" + std::string(r.name), Row{r.name, r.address, kTellsChanges});
    }
    for (const Row& r : math_functions())
      for (const char suffix : {'f', 'l'}) {
        HEDDLE_ASSERT(!t->contains(std::string(r.name) + suffix));
        t->emplace(std::string(r.name) + suffix, r);
      }
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
          .clocks = (flags & kTellsTime) != 0,
          .exit_handlers = (flags & kAddsHandler) != 0};
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
  return (flags(name) & (kNoSideEffects | kTellsChanges | kYields | kSleeps | kFrees)) != 0;
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
