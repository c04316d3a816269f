// mutex(N), optimal-dpor-await (FMCAD 2022), Table I: a mutex that counts who waits for it. Nobody looks at what the
// count was when it is changed, so the fetch-and-adds commute. N threads take the mutex once each. All accesses are
// seq_cst.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#ifndef N
#define N 2
#endif

static atomic_int locked;
static atomic_int waiters;
static int shared;

static bool try_lock(void) {
  int expected = 0;
  return atomic_compare_exchange_strong(&locked, &expected, 1);
}

static void lock(void) {
  if (try_lock()) return;
  atomic_fetch_add(&waiters, 1);
  do {
    while (atomic_load(&locked)) {
    }
  } while (!try_lock());
  atomic_fetch_sub(&waiters, 1);
}

// Where there is a system call, it wakes somebody if there are waiters.
static void unlock(void) {
  atomic_store(&locked, 0);
  (void)atomic_load(&waiters);
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
  assert(atomic_load(&waiters) == 0);
  return 0;
}
