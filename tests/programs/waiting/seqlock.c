// A sequence lock: the reader tries again until it has seen no write.
// $ heddle check seqlock.c => verified
// $ heddle check --model sc seqlock.c => verified
// $ heddle check --model tso seqlock.c => verified
// $ heddle check --algorithm rcmc seqlock.c => verified
// $ heddle check --algorithm await --model sc seqlock.c => verified
// $ heddle check seqlock.c -- -DWEAK => error assertion
// $ heddle check --algorithm rcmc seqlock.c -- -DWEAK => error assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef WEAK
#define RELEASE memory_order_relaxed
#else
#define RELEASE memory_order_release
#endif
#ifndef N
#define N 2
#endif

static atomic_uint sequence;
static atomic_int x, y;

static void* writer(void* arg) {
  for (int i = 1; i <= 2; ++i) {
    const unsigned s = atomic_load_explicit(&sequence, memory_order_relaxed);
    atomic_store_explicit(&sequence, s + 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&x, i, memory_order_relaxed);
    atomic_store_explicit(&y, i, memory_order_relaxed);
    atomic_store_explicit(&sequence, s + 2, RELEASE);
  }
  return arg;
}

static void* reader(void* arg) {
  int a, b;
  unsigned before;
  do {
    before = atomic_load_explicit(&sequence, memory_order_acquire);
    a = atomic_load_explicit(&x, memory_order_relaxed);
    b = atomic_load_explicit(&y, memory_order_relaxed);
    atomic_thread_fence(memory_order_acquire);
  } while (before % 2 != 0 || atomic_load_explicit(&sequence, memory_order_relaxed) != before);
  assert(a == b);
  return arg;
}

int main(void) {
  pthread_t w, r;
  pthread_create(&w, 0, writer, 0);
  pthread_create(&r, 0, reader, 0);
  pthread_join(w, 0);
  pthread_join(r, 0);
  return 0;
}
