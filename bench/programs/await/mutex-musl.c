// mutex-musl(N), optimal-dpor-await (FMCAD 2022), Table I: the mutex of the C library musl. Who finds it taken counts
// itself among the waiters, marks it as contended, and waits. A futex is modelled by a counter of wake-ups: who waits
// goes on when it has changed. Nobody looks at what the two counters were when they are changed, so the fetch-and-adds
// commute. N threads take the mutex once each. All accesses are seq_cst.
//
// With -DROUNDS=1 executions in which a thread waits more often are dropped, as by the paper's bound of loops.
// $ heddle check --algorithm await --model sc mutex-musl.c -- -DN=2 => verified, 20 executions, 0 blocked
// $ heddle check --algorithm await --model sc mutex-musl.c -- -DN=3 -DROUNDS=1 => verified, 14736 executions
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>

#include "futex.h"

#ifndef N
#define N 2
#endif

#define FREE 0
#define TAKEN 16  // EBUSY
#define CONTENDED 0x40000000

static atomic_int waiters;
static int shared;

static void lock(void) {
  if (replace(FREE, TAKEN)) return;
  for (int waited = 0; !replace(FREE, TAKEN); ++waited) {
#ifdef ROUNDS
    heddle_assume(waited < ROUNDS);
#endif
    atomic_fetch_add(&waiters, 1);
    replace(TAKEN, TAKEN | CONTENDED);
    futex_wait(TAKEN | CONTENDED);
    atomic_fetch_sub(&waiters, 1);
  }
}

static void unlock(void) {
  const int old = atomic_exchange(&state, FREE);
  if (atomic_load(&waiters) != 0 || old & CONTENDED) futex_wake();
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
