// The table of library functions that a program may call, one row each. A row says all that the rest of heddle needs to
// know of its function; no other list of names is kept anywhere.
//
// Most rows have a function of their own: a C function with the library's signature that runs on a model thread's
// fibre. The others (kNative) are called in the real library as they are. Each file of this folder offers its rows.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace heddle::library {

inline constexpr unsigned kTellsThreadsApart = 1;    // its result differs between threads that do the same
inline constexpr unsigned kNeedsHazardPointers = 2;  // the machine must watch them (native/hazards.hpp)
inline constexpr unsigned kNative = 4;               // the real library has it
inline constexpr unsigned kNoSideEffects = 8;        // it only computes, or reads what it is given
inline constexpr unsigned kUnseenWrites = 16;        // it writes memory of the program where nobody checks it
inline constexpr unsigned kStandardStreams = 32;     // it is one of std::cout and its like

struct Row {
  std::string_view name;
  void* address;  // null with kNative
  unsigned flags = 0;
};

template <typename F>
Row row(std::string_view name, F* function, unsigned flags = 0) {
  return {name, reinterpret_cast<void*>(function), flags};
}
constexpr Row native(std::string_view name) { return {name, nullptr, kNative | kNoSideEffects}; }

// The C++ library has too many functions for one row each: these rows say how their names begin. The first that fits
// counts.
struct Prefix {
  std::string_view start;
  unsigned flags;
};

std::span<const Row> thread_functions();     // pthread and C11: threads, keys
std::span<const Row> attribute_functions();  // of threads
std::span<const Row> mutex_functions();      // pthread and C11: mutexes, once; __cxa_guard_*
std::span<const Row> memory_functions();     // malloc and friends, operator new and delete
std::span<const Row> string_functions();     // string.h
std::span<const Row> stdio_functions();      // output
std::span<const Row> stdlib_functions();     // the rest of the C library that needs care
std::span<const Row> clock_functions();      // clocks and sleeps
std::span<const Row> random_functions();     // random numbers
std::span<const Row> system_functions();     // what a program asks its system
std::span<const Row> hazard_functions();     // heddle_hp_*
std::span<const Row> verifier_functions();   // heddle.h, __VERIFIER_*, assert
std::span<const Row> helping_functions();    // heddle_helped, heddle_helping
std::span<const Row> exception_functions();  // the C++ runtime
std::span<const Row> native_functions();     // what only computes
std::span<const Row> math_functions();       // math.h; each also with the suffixes f and l
std::span<const Prefix> cxx_functions();     // the out-of-line part of the C++ library
bool is_forbidden_cxx(std::string_view name);

// What to do instead of using a function or variable of the system's libraries that heddle does not have; empty if the
// libraries do not have it either.
std::string why_unsupported(const std::string& name);

}  // namespace heddle::library
