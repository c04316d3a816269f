// mutex(N), optimal-dpor-await (FMCAD 2022), Table I: a mutex of three states for a system with futexes, the second of
// Drepper, "Futexes Are Tricky" (2011): free, taken, and taken while others may wait. A futex is modelled by a counter
// of wake-ups: who waits goes on when it has changed. Nobody looks at what the counter was when it is changed, so the
// fetch-and-adds commute. N threads take the mutex once each. All accesses are seq_cst.
// $ heddle check --algorithm await --model sc mutex.c -- -DN=2 => verified, 10 executions, 0 blocked
// $ heddle check --algorithm await --model sc mutex.c -- -DN=3 => verified, 3618 executions, 0 blocked
// $ heddle check --algorithm await --model sc --no-commute mutex.c -- -DN=3 => verified, 6582 executions, 0 blocked
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#include "futex.h"

#ifndef N
#define N 2
#endif

enum { FREE, TAKEN, CONTENDED };

static int shared;

static void lock(void) {
  if (replace(FREE, TAKEN)) return;
  do {
    replace(TAKEN, CONTENDED);
    futex_wait(CONTENDED);
  } while (!replace(FREE, CONTENDED));
}

static void unlock(void) {
  if (atomic_exchange(&state, FREE) == CONTENDED) futex_wake();
}

static void* work(void* arg) {
  lock();
  ++shared;
  unlock();
  return arg;
}

int main(void) {
  pthread_t threads[N];
  for (int i = 0; i < N; ++i) pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < N; ++i) pthread_join(threads[i], NULL);
  assert(shared == N);
  assert(atomic_load(&state) == FREE);
  return 0;
}
