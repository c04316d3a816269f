// A mutex whose waiters set a bit, so that who unlocks knows whether somebody is to be woken.
// $ heddle check waiters_bit.c => verified, 5 executions
// $ heddle check --model sc waiters_bit.c => verified, 5 executions
// $ heddle check --model tso waiters_bit.c => verified, 5 executions
// $ heddle check --model ra waiters_bit.c => verified, 5 executions
// $ heddle check --algorithm rcmc waiters_bit.c => verified, 10 executions
// $ heddle check --algorithm await --model sc waiters_bit.c => verified
// $ heddle check --algorithm await --model sc --no-commute waiters_bit.c => verified, 10 executions
// $ heddle check waiters_bit.c -- -DWEAK => error race
// $ heddle check --algorithm rcmc waiters_bit.c -- -DWEAK => error race
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
#define HELD 1u
#define WAITERS 2u

static atomic_uint lock_word;
static atomic_uint wakeups;
static int shared;

static void lock(void) {
  while (atomic_fetch_or_explicit(&lock_word, HELD, memory_order_acquire) & HELD) {
    while (atomic_load_explicit(&lock_word, memory_order_relaxed) & HELD) {
      atomic_fetch_or_explicit(&lock_word, WAITERS, memory_order_relaxed);
      sched_yield();
    }
  }
}

static void unlock(void) {
  if (atomic_exchange_explicit(&lock_word, 0, RELEASE) & WAITERS) {
    atomic_fetch_add_explicit(&wakeups, 1, memory_order_relaxed);
  }
}

static void* worker(void* arg) {
  lock();
  ++shared;
  unlock();
  return arg;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; ++i) pthread_create(&t[i], 0, worker, 0);
  for (int i = 0; i < N; ++i) pthread_join(t[i], 0);
  assert(shared == N);
  return 0;
}
