// A lock with a slow path of its own: spin, then say that somebody waits, and wait for one's turn to be woken.
// $ heddle check spin_then_park.c => verified
// $ heddle check --model sc spin_then_park.c => verified
// $ heddle check --model tso spin_then_park.c => verified
// $ heddle check --model ra spin_then_park.c => verified
// $ heddle check --algorithm rcmc spin_then_park.c => verified
// $ heddle check --algorithm await --model sc spin_then_park.c => verified
// $ heddle check spin_then_park.c -- -DSPINS=1000000 => verified
// Who unlocks forgets to wake the others, which shows only if one of them has run out of patience:
// $ heddle check spin_then_park.c -- -DFORGET => error livelock
// $ heddle check --model sc spin_then_park.c -- -DFORGET -DSPINS=1000000 => error livelock
// $ heddle check --model tso spin_then_park.c -- -DFORGET => error livelock
// $ heddle check --algorithm rcmc spin_then_park.c -- -DFORGET => error livelock
// $ heddle check --algorithm await --model sc spin_then_park.c -- -DFORGET => error livelock
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#ifndef SPINS
#define SPINS 1024
#endif
#define N 2

static atomic_int state;   // 0 free, 1 held, 2 held and somebody waits
static atomic_int wakeup;  // counts
static int shared;

static void lock(void) {
  for (int i = 0; i < SPINS; ++i) {
    int expected = 0;
    if (atomic_compare_exchange_strong_explicit(&state, &expected, 1, memory_order_acquire, memory_order_relaxed))
      return;
    sched_yield();
  }
  for (;;) {
    const int seen = atomic_load_explicit(&wakeup, memory_order_acquire);
    if (atomic_exchange_explicit(&state, 2, memory_order_acquire) == 0) return;
    while (atomic_load_explicit(&wakeup, memory_order_acquire) == seen) {
    }
  }
}

static void unlock(void) {
  const int was = atomic_exchange_explicit(&state, 0, memory_order_release);
#ifdef FORGET
  (void)was;
#else
  if (was == 2) atomic_fetch_add_explicit(&wakeup, 1, memory_order_release);
#endif
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
