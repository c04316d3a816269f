// A test-and-set lock with exponential back-off up to a cap. Nobody sees how long a thread pauses.
// $ heddle check capped_backoff.c => verified, 1 executions
// $ heddle check --model sc capped_backoff.c => verified, 1 executions
// $ heddle check --model tso capped_backoff.c => verified, 1 executions
// $ heddle check --model ra capped_backoff.c => verified, 1 executions
// $ heddle check --algorithm rcmc capped_backoff.c => verified, 2 executions
// $ heddle check --algorithm await --model sc capped_backoff.c => verified, 2 executions
// $ heddle check capped_backoff.c -- -DWEAK => error race
// $ heddle check --algorithm rcmc capped_backoff.c -- -DWEAK => error race
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#ifdef WEAK
#define RELEASE memory_order_relaxed
#else
#define RELEASE memory_order_release
#endif
#define N 2

static atomic_int held;
static int shared;

static void lock(void) {
  int delay = 1;
  while (atomic_exchange_explicit(&held, 1, memory_order_acquire)) {
    for (int i = 0; i < delay; ++i) sched_yield();
    if (delay < 4) delay *= 2;
  }
}

static void* worker(void* arg) {
  lock();
  ++shared;
  atomic_store_explicit(&held, 0, RELEASE);
  return arg;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; ++i) pthread_create(&t[i], 0, worker, 0);
  for (int i = 0; i < N; ++i) pthread_join(t[i], 0);
  assert(shared == N);
  return 0;
}
