// ttaslock(N), optimal-dpor-await (FMCAD 2022), Table I: a test-and-test-and-set lock. N threads take it once each. All
// accesses are seq_cst.
//
// If the loops are awaits there are (N!)² executions, and none in which a thread waits in vain: of each order of the
// threads, the k-th may have seen the lock free in any of the k times that it was, up to its own.
// $ heddle check --algorithm await --model sc ttaslock.c -- -DN=3 => verified, 36 executions, 0 blocked
// $ heddle check --algorithm await --model sc ttaslock.c -- -DN=4 => verified, 576 executions, 0 blocked
// $ heddle check --algorithm await --model sc ttaslock.c -- -DN=5 => verified, 14400 executions, 0 blocked
// $ heddle check --no-symmetry --model sc ttaslock.c -- -DN=3 => verified, 36 executions, 0 blocked
// $ heddle check --no-symmetry --model rc11 ttaslock.c -- -DN=3 => verified, 36 executions, 0 blocked
// $ heddle check --no-symmetry --model sc ttaslock.c -- -DN=4 => verified, 576 executions, 0 blocked
// $ heddle check --no-symmetry --model rc11 ttaslock.c -- -DN=4 => verified, 576 executions, 0 blocked
// $ heddle check --no-symmetry --model sc ttaslock.c -- -DN=5 => verified, 14400 executions, 0 blocked
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 2
#endif

static atomic_int locked;
static int shared;

static void lock(void) {
  do {
    while (atomic_load(&locked)) {
    }
  } while (atomic_exchange(&locked, 1));
}

static void unlock(void) { atomic_store(&locked, 0); }

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
  return 0;
}
