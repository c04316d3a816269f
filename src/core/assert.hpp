// Invariants that are checked: in Debug builds, and in the libraries that the fuzzers use.
#pragma once

#include <cstdio>
#include <cstdlib>

#if !defined(HEDDLE_CHECKED) && !defined(NDEBUG)
#define HEDDLE_CHECKED 1
#endif

#if HEDDLE_CHECKED
#define HEDDLE_ASSERT(...)                                                                        \
  do {                                                                                            \
    if (!(__VA_ARGS__)) {                                                                         \
      std::fprintf(stderr, "heddle: %s:%d: broken: %s\n", __FILE__, __LINE__, #__VA_ARGS__);      \
      std::abort();                                                                               \
    }                                                                                             \
  } while (false)
#else
#define HEDDLE_ASSERT(...) static_cast<void>(0)
#endif
