// A test-and-test-and-set lock, with yield.
// $ heddle check ttas.c => verified
// $ heddle check --model sc ttas.c => verified
// $ heddle check --model tso ttas.c => verified
// $ heddle check --algorithm rcmc ttas.c => verified
// $ heddle check --algorithm await --model sc ttas.c => verified
// $ heddle check ttas.c -- -DWEAK => error race
// $ heddle check --algorithm rcmc ttas.c -- -DWEAK => error race
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

#include <sched.h>
static atomic_int taken;
static void lock(long me) {
  (void)me;
  for (;;) {
    while (atomic_load_explicit(&taken, memory_order_relaxed)) sched_yield();
    if (!atomic_exchange_explicit(&taken, 1, memory_order_acquire)) return;
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
