// Models of library functions: C functions with the library's signatures that run on a model thread's fibre. Each file
// of them offers a table; library.cpp looks names up in all.
#pragma once

#include <span>
#include <string_view>

#include "machine/runtime.hpp"

namespace heddle::models {

struct Entry {
  std::string_view name;
  void* address;
};

template <typename F>
Entry entry(std::string_view name, F* function) {
  return {name, reinterpret_cast<void*>(function)};
}

std::span<const Entry> thread_functions();     // pthread and C11: threads, keys
std::span<const Entry> mutex_functions();      // pthread and C11: mutexes, once; __cxa_guard_*
std::span<const Entry> memory_functions();     // malloc and friends, operator new and delete
std::span<const Entry> string_functions();     // string.h
std::span<const Entry> stdio_functions();      // output
std::span<const Entry> stdlib_functions();     // the rest of the C library that needs care
std::span<const Entry> hazard_functions();     // heddle_hp_*
std::span<const Entry> verifier_functions();   // heddle.h, __VERIFIER_*, assert
std::span<const Entry> helping_functions();    // heddle_helped, heddle_helping
std::span<const Entry> exception_functions();  // the C++ runtime

// SV-COMP's atomic sections are one recursive mutex, in the arena that belongs to no thread.
inline constexpr Address kSection = region::kArenas + region::kMaxThreads * region::kArenaSize;

// The n-th child of t (from 0), whether it is created in this execution or not; it keeps its id for the whole run.
ThreadId nth_child(Thread& t, uint32_t n);

// The end of the current thread: destructors, then the action.
[[noreturn]] void exit_thread(void* result);
// What exit() does before the process ends.
void run_exit_handlers();

// Adds to the text that the execution has printed.
void print(const char* text, std::size_t size);

// Whether text that goes to std::cout, std::cerr and std::clog on a fibre is held back, too.
void divert_streams(bool on);
void reset_streams();

// Puts back what the models keep outside of Runtime.
void restart();

}  // namespace heddle::models
