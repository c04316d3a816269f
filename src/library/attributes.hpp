// Attributes of threads: pthread_attr_*.
#pragma once

#include <pthread.h>

namespace heddle::library {

// PTHREAD_STACK_MIN.
#if defined(__aarch64__)
inline constexpr long kSmallestStack = 131'072;
#else
inline constexpr long kSmallestStack = 16'384;
#endif

// Whether a thread with these attributes, which may be null, is created detached.
bool creates_detached(const pthread_attr_t* attributes);

}  // namespace heddle::library
