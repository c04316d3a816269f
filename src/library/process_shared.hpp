// Whether an object is shared by processes: the same for the attributes of mutexes, conditions, locks and barriers.
// There is but one process, so that it is remembered and means nothing.
#pragma once

#include <pthread.h>

#include <cerrno>

#include "native/access.hpp"

namespace heddle::library {

// It is this bit of this word of the attribute, as in glibc.
template <unsigned kWord, unsigned kBit>
int set_process_shared(unsigned* attribute, int shared) {
  if (shared != PTHREAD_PROCESS_PRIVATE && shared != PTHREAD_PROCESS_SHARED) return EINVAL;
  const unsigned bit = shared == PTHREAD_PROCESS_SHARED ? kBit : 0;
  plain_put(attribute + kWord, (plain_get(attribute + kWord) & ~kBit) | bit);
  return 0;
}

template <unsigned kWord, unsigned kBit>
int get_process_shared(const unsigned* attribute, int* shared) {
  const bool on = (plain_get(attribute + kWord) & kBit) != 0;
  plain_put<int>(shared, on ? PTHREAD_PROCESS_SHARED : PTHREAD_PROCESS_PRIVATE);
  return 0;
}

}  // namespace heddle::library
