// A spinning lock for readers and a writer.
// $ heddle check rwlock.c => verified
// $ heddle check --model sc rwlock.c => verified
// $ heddle check --model tso rwlock.c => verified
// $ heddle check --algorithm rcmc rwlock.c => verified
// $ heddle check --algorithm await --model sc rwlock.c => verified
// $ heddle check rwlock.c -- -DWEAK => error race
// $ heddle check --algorithm rcmc rwlock.c -- -DWEAK => error race
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef WEAK
#define RELEASE memory_order_relaxed
#else
#define RELEASE memory_order_release
#endif
#ifndef N
#define N 1
#endif

static atomic_int state;  // readers, or -1: a writer
static int data;

static void* reader(void* arg) {
  for (;;) {
    int n = atomic_load_explicit(&state, memory_order_relaxed);
    if (n < 0) continue;
    if (atomic_compare_exchange_weak_explicit(&state, &n, n + 1, memory_order_acquire, memory_order_relaxed)) break;
  }
  assert(data == 0 || data == 1);
  atomic_fetch_sub_explicit(&state, 1, RELEASE);
  return arg;
}

static void* writer(void* arg) {
  int expected = 0;
  while (!atomic_compare_exchange_strong_explicit(&state, &expected, -1, memory_order_acquire, memory_order_relaxed)) {
    expected = 0;
  }
  data = 1;
  atomic_store_explicit(&state, 0, memory_order_release);
  return arg;
}

int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, 0, reader, 0);
  pthread_create(&b, 0, reader, 0);
  pthread_create(&c, 0, writer, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_join(c, 0);
  return 0;
}
