// Invariants that are checked: in Debug builds, and in the libraries that the fuzzers use.
//
//   HEDDLE_ASSERT(condition)       it holds
//   HEDDLE_ASSERT_WHOLE(x.check())  check() returns what is broken: an empty string
#pragma once

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>

#if !defined(HEDDLE_CHECKED) && !defined(NDEBUG)
#define HEDDLE_CHECKED 1
#endif

namespace heddle {

// Allocates nothing: on a fibre that would be memory of the program.
[[noreturn]] inline void broken(const char* file, int line, const char* what) {
  std::fprintf(stderr, "heddle: %s:%d: broken: %s\n", file, line, what);
  std::signal(SIGABRT, SIG_DFL);  // it is not the program under test that aborts
  std::abort();
}
[[noreturn]] inline void broken(const char* file, int line, const std::string& what) {
  broken(file, line, what.c_str());
}

}  // namespace heddle

#if HEDDLE_CHECKED
#define HEDDLE_ASSERT(...) ((__VA_ARGS__) ? static_cast<void>(0) : ::heddle::broken(__FILE__, __LINE__, #__VA_ARGS__))
#define HEDDLE_ASSERT_WHOLE(check)                                                                   \
  do {                                                                                               \
    if (const std::string what = (check); !what.empty()) ::heddle::broken(__FILE__, __LINE__, what); \
  } while (false)
#else
#define HEDDLE_ASSERT(...) static_cast<void>(0)
#define HEDDLE_ASSERT_WHOLE(check) static_cast<void>(0)
#endif
