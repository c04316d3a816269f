// A lock by compare-and-swap in a retry loop.
// $ heddle check cas_lock.c => verified
// $ heddle check --model sc cas_lock.c => verified
// $ heddle check --model tso cas_lock.c => verified
// $ heddle check --algorithm rcmc cas_lock.c => verified
// $ heddle check --algorithm await --model sc cas_lock.c => verified
// $ heddle check cas_lock.c -- -DWEAK => error race
// $ heddle check --algorithm rcmc cas_lock.c -- -DWEAK => error race
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef WEAK
#define RELEASE memory_order_relaxed
#else
#define RELEASE memory_order_release
#endif
#ifndef N
#define N 3
#endif

static atomic_int taken;
static void lock(long me) {
  (void)me;
  int expected = 0;
  while (!atomic_compare_exchange_weak_explicit(&taken, &expected, 1, memory_order_acquire, memory_order_relaxed)) {
    expected = 0;
  }
}
static void unlock(long me) {
  (void)me;
  atomic_store_explicit(&taken, 0, RELEASE);
}

static int shared;

static void* worker(void* arg) {
  lock((long)arg);
  int before = shared;
  shared = before + 1;
  unlock((long)arg);
  return 0;
}

int main(void) {
  pthread_t t[N];
  for (long i = 0; i < N; ++i) pthread_create(&t[i], 0, worker, (void*)i);
  for (int i = 0; i < N; ++i) pthread_join(t[i], 0);
  assert(shared == N);
  return 0;
}
