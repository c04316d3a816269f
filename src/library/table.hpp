// The table of library functions that a program may call, one row each. A row says all that the rest of heddle needs to
// know of its function; no other list of names is kept anywhere.
//
// Most rows have a function of their own: a C function with the library's signature that runs on a model thread's
// fibre. The others (kNative) are called in the real library as they are. Each file of this folder offers its rows.
// A function that is compiled with the program (parts.hpp) has no row.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace heddle::library {

inline constexpr unsigned kTellsThreadsApart = 1;    // its result differs between threads that do the same
inline constexpr unsigned kNeedsHazardPointers = 2;  // the machine must watch them (native/hazards.hpp)
inline constexpr unsigned kNative = 4;               // the real library has it
inline constexpr unsigned kNoSideEffects = 8;        // it only computes, or reads what it is given
inline constexpr unsigned kTellsChanges = 32;        // it says itself when it changes something (change())
inline constexpr unsigned kYields = 64;              // it does nothing at all; its arguments are numbers
inline constexpr unsigned kSleeps = 128;             // the same, but that its clock goes on
inline constexpr unsigned kTellsTime = 256;          // it reads a clock
inline constexpr unsigned kAssumes = 512;            // it stops the thread if its one argument, a number, is 0
inline constexpr unsigned kGivesBack = 1024;         // it gives back a mutex
inline constexpr unsigned kFrees = 2048;             // it frees memory, and does nothing else
inline constexpr unsigned kFutexBits = 4096;         // it may be a futex with a bit set
inline constexpr unsigned kTakesLimit = 8192;     // numbers that it is told may be a time limit, and are nothing else
inline constexpr unsigned kFutexMoves = 16384;    // it may be a futex that moves threads from one word to another
inline constexpr unsigned kStandardStreams = 16;  // it is one of std::cout and its like
inline constexpr unsigned kAddsHandler = 32768;   // it adds an exit handler

static_assert((kTellsThreadsApart | kNeedsHazardPointers | kNative | kNoSideEffects | kTellsChanges | kYields |
               kSleeps | kTellsTime | kAssumes | kGivesBack | kFrees | kFutexBits | kTakesLimit | kFutexMoves |
               kStandardStreams | kAddsHandler) == (1u << 16) - 1);  // each flag has a bit of its own

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

std::span<const Row> thread_functions();     // pthread and C11: threads, keys
std::span<const Row> attribute_functions();  // of threads
std::span<const Row> mutex_functions();      // pthread and C11: mutexes, once; __cxa_guard_*
std::span<const Row> condition_functions();  // pthread and C11: condition variables
std::span<const Row> rwlock_functions();     // pthread: readers-writer locks, spin locks
std::span<const Row> semaphore_functions();  // semaphores
std::span<const Row> barrier_functions();    // barriers, latches
std::span<const Row> futex_functions();      // futexes, waits for an atomic
std::span<const Row> memory_functions();     // malloc and friends, operator new and delete
std::span<const Row> string_functions();     // string.h
std::span<const Row> wide_functions();       // wchar.h
std::span<const Row> number_functions();     // numbers in text
std::span<const Row> stdio_functions();      // output
std::span<const Row> scan_functions();       // sscanf
std::span<const Row> stdlib_functions();     // the rest of the C library that needs care
std::span<const Row> clock_functions();      // clocks and sleeps
std::span<const Row> random_functions();     // random numbers
std::span<const Row> system_functions();     // what a program asks its system
std::span<const Row> hazard_functions();     // heddle_hp_*
std::span<const Row> verifier_functions();   // heddle.h, __VERIFIER_*, assert
std::span<const Row> test_functions();       // include/frameworks
std::span<const Row> helping_functions();    // heddle_helped, heddle_helping
std::span<const Row> exception_functions();  // the C++ runtime
std::span<const Row> cast_functions();       // dynamic_cast
std::span<const Row> container_functions();  // of the unordered containers
std::span<const Row> native_functions();     // what only computes
std::span<const Row> math_functions();       // math.h; each also with the suffixes f and l
std::span<const Row> cxx_functions();        // the runtime of C++
std::span<const Row> stream_functions();     // what compiled/streams.cpp asks for
std::span<const Row> processor_functions();  // what the compiler asks of the processor
bool is_native_type(std::string_view name);  // a description of a type, in libstdc++.so

// What to do instead of using a function or variable of the system's libraries that heddle does not have; empty if the
// libraries do not have it either.
std::string why_unsupported(const std::string& name);

}  // namespace heddle::library
