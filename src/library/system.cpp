// What a program asks its system: a process without an environment, on a machine with four processors. What has no
// fixed answer is refused.
#include <fmt/format.h>
#include <limits.h>
#include <unistd.h>

#include <cerrno>
#include <optional>

#include "library/attributes.hpp"
#include "library/state.hpp"
#include "library/table.hpp"
#include "native/access.hpp"

namespace heddle::library {
namespace {

constexpr int kProcess = 4711;
constexpr int kProcessors = 4;
constexpr long kPageSize = 4096;

std::optional<long> setting(int name) {
  switch (name) {
    case _SC_NPROCESSORS_CONF:
    case _SC_NPROCESSORS_ONLN: return kProcessors;
    case _SC_PAGESIZE: return kPageSize;
    case _SC_PHYS_PAGES:
    case _SC_AVPHYS_PAGES: return (4l << 30) / kPageSize;
    case _SC_CLK_TCK: return 100;
    case _SC_OPEN_MAX: return 1024;
    case _SC_ARG_MAX: return 2'097'152;
    case _SC_THREADS:
    case _SC_THREAD_SAFE_FUNCTIONS:
    case _SC_MONOTONIC_CLOCK:
    case _SC_TIMERS:
    case _SC_VERSION: return _POSIX_VERSION;
    case _SC_THREAD_KEYS_MAX: return PTHREAD_KEYS_MAX;
    case _SC_THREAD_DESTRUCTOR_ITERATIONS: return PTHREAD_DESTRUCTOR_ITERATIONS;
    case _SC_THREAD_STACK_MIN: return kSmallestStack;
    case _SC_LEVEL1_DCACHE_LINESIZE: return 64;
    default: return std::nullopt;
  }
}

long sysconf_(int name) {
  constexpr int kLargest = 1000;  // far above glibc's
  if (name < 0 || name > kLargest) {
    set_error_number(EINVAL);
    return -1;
  }
  if (const auto value = setting(name)) return *value;
  HostScope scope;
  refuse(fmt::format("sysconf({}) is not supported ({}): use a constant there under #ifdef __HEDDLE__", name,
                     place(rt.site)));
}
int processors() { return kProcessors; }
int page_size() { return static_cast<int>(kPageSize); }

// The name is read as the program would.
char* getenv_(const char* name) {
  while (abi::__heddle_plain_load1(name, static_cast<uint32_t>(rt.site)) != 0) ++name;
  return nullptr;
}
int getpid_() { return kProcess; }
int getppid_() { return 1; }

}  // namespace

std::span<const Row> system_functions() {
  static const Row table[] = {
      row("sysconf", sysconf_),
      row("get_nprocs", processors),
      row("get_nprocs_conf", processors),
      row("getpagesize", page_size),
      row("getenv", getenv_),
      row("secure_getenv", getenv_),
      row("getpid", getpid_),
      row("getppid", getppid_),
      row("__errno_location", error_place, kNoSideEffects),
  };
  return table;
}

}  // namespace heddle::library
