// Atomic accesses that processors have no instructions for, because of their size or alignment. A lock makes them
// atomic, as in libatomic, which puts barriers around a sequentially consistent one. So a relaxed access is ordered
// more than it must be.
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

pthread_mutex_t __heddle_atomic_locks[256];

static pthread_mutex_t* lock_of(const void* object) {
  return &__heddle_atomic_locks[((uintptr_t)object >> 2) * 0x9e3779b97f4a7c15u >> 56];
}
void __heddle_locked_begin(const void* object, int order) {
  if (order == memory_order_seq_cst) atomic_thread_fence(memory_order_seq_cst);
  pthread_mutex_lock(lock_of(object));
}
void __heddle_locked_end(const void* object, int order) {
  pthread_mutex_unlock(lock_of(object));
  if (order == memory_order_seq_cst) atomic_thread_fence(memory_order_seq_cst);
}

void __heddle_locked_load(size_t size, const void* object, void* out, int order) {
  __heddle_locked_begin(object, order);
  memcpy(out, object, size);
  __heddle_locked_end(object, order);
}

void __heddle_locked_store(size_t size, void* object, const void* value, int order) {
  __heddle_locked_begin(object, order);
  memcpy(object, value, size);
  __heddle_locked_end(object, order);
}

// `value` and `out` may be the same.
void __heddle_locked_exchange(size_t size, void* object, const void* value, void* out, int order) {
  __heddle_locked_begin(object, order);
  const unsigned char* from = value;
  unsigned char *at = object, *to = out;
  for (size_t i = 0; i < size; ++i) {
    const unsigned char old = at[i];
    at[i] = from[i];
    to[i] = old;
  }
  __heddle_locked_end(object, order);
}

bool __heddle_locked_compare_exchange(size_t size, void* object, void* expected, const void* desired, int order,
                                      int failure_order) {
  (void)failure_order;
  __heddle_locked_begin(object, order);
  const bool equal = memcmp(object, expected, size) == 0;
  if (equal) {
    memcpy(object, desired, size);
  } else {
    memcpy(expected, object, size);
  }
  __heddle_locked_end(object, order);
  return equal;
}
