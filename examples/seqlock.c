// A sequence lock: a writer makes the counter odd, writes, and makes it even again; a reader tries again when the
// counter was odd or has changed. Without the fence in the reader (-DWEAK) it may see half of an update.
//
// $ heddle check seqlock.c => verified
// $ heddle check seqlock.c -- -DWEAK => error assertion, line 35
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint sequence;
static atomic_int x, y;  // equal, except in the middle of an update

static void* writer(void* arg) {
  for (int i = 1; i <= 2; ++i) {
    const unsigned s = atomic_load_explicit(&sequence, memory_order_relaxed);
    atomic_store_explicit(&sequence, s + 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&x, i, memory_order_relaxed);
    atomic_store_explicit(&y, i, memory_order_relaxed);
    atomic_store_explicit(&sequence, s + 2, memory_order_release);
  }
  return arg;
}

static void* reader(void* arg) {
  const unsigned before = atomic_load_explicit(&sequence, memory_order_acquire);
  heddle_assume(before % 2 == 0);
  const int a = atomic_load_explicit(&x, memory_order_relaxed);
  const int b = atomic_load_explicit(&y, memory_order_relaxed);
#ifndef WEAK
  atomic_thread_fence(memory_order_acquire);
#endif
  heddle_assume(atomic_load_explicit(&sequence, memory_order_relaxed) == before);
  assert(a == b);
  return arg;
}

int main(void) {
  pthread_t w, r;
  pthread_create(&w, NULL, writer, NULL);
  pthread_create(&r, NULL, reader, NULL);
  pthread_join(w, NULL);
  pthread_join(r, NULL);
  return 0;
}
