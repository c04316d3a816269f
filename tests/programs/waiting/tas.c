// A test-and-set lock.
// $ heddle check tas.c => verified
// $ heddle check --model sc tas.c => verified
// $ heddle check --model tso tas.c => verified
// $ heddle check --algorithm rcmc tas.c => verified
// $ heddle check --algorithm await --model sc tas.c => verified
// $ heddle check tas.c -- -DWEAK => error race
// $ heddle check --algorithm rcmc tas.c -- -DWEAK => error race
// A worker that never unlocks: the others turn round for ever.
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

static atomic_flag taken = ATOMIC_FLAG_INIT;
static void lock(long me) {
  (void)me;
  while (atomic_flag_test_and_set_explicit(&taken, memory_order_acquire)) {
  }
}
static void unlock(long me) {
  (void)me;
  atomic_flag_clear_explicit(&taken, RELEASE);
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
