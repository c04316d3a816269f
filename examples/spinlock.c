// A spinlock around a counter. heddle_assume stands for the spinning: an execution in which a thread finds the lock
// taken is dropped (counted as blocked), because the thread would only try again. With -DWEAK the lock is taken with a
// relaxed exchange, and the counter is no longer protected.
//
// $ heddle check spinlock.c => verified, 1 executions
// $ heddle check --no-symmetry spinlock.c => verified, 6 executions
// $ heddle check spinlock.c -- -DWEAK => error race, line 28
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>

#define THREADS 3
#ifdef WEAK
#define TAKE memory_order_relaxed
#else
#define TAKE memory_order_acquire
#endif

static atomic_int locked;
static int counter;

static void lock(void) { heddle_assume(atomic_exchange_explicit(&locked, 1, TAKE) == 0); }
static void unlock(void) { atomic_store_explicit(&locked, 0, memory_order_release); }

static void* work(void* arg) {
  lock();
  ++counter;
  unlock();
  return arg;
}

int main(void) {
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; ++i) pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < THREADS; ++i) pthread_join(threads[i], NULL);
  assert(counter == THREADS);
  return 0;
}
