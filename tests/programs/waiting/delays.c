// Exponential back-off without a visible end: the delay decides only how long the thread pauses.
// $ heddle check delays.c -- -DTAS => verified
// $ heddle check --model sc delays.c -- -DTAS => verified
// $ heddle check --model tso delays.c -- -DTAS => verified
// $ heddle check --algorithm rcmc delays.c -- -DTAS => verified
// $ heddle check --algorithm await --model sc delays.c -- -DTAS => verified
// $ heddle check delays.c -- -DTAS -DWEAK => error race
// $ heddle check --algorithm rcmc delays.c -- -DTAS -DWEAK => error race
// $ heddle check delays.c -- -DCAS => verified
// $ heddle check --model sc delays.c -- -DCAS => verified
// $ heddle check --model tso delays.c -- -DCAS => verified
// $ heddle check --algorithm rcmc delays.c -- -DCAS => verified
// $ heddle check --algorithm await --model sc delays.c -- -DCAS => verified
// $ heddle check delays.c -- -DCAS -DWEAK => error race
// Back-off and a limit, both in one loop:
// $ heddle check delays.c -- -DLIMIT=100000 => verified
// $ heddle check --model sc delays.c -- -DLIMIT=100000 => verified
// $ heddle check --algorithm await --model sc delays.c -- -DLIMIT=100000 => verified
// $ heddle check delays.c -- -DLIMIT=100000 -DHASTY => error race
// $ heddle check --model sc delays.c -- -DLIMIT=100000 -DHASTY => error race
// A retry loop: a round that fails has read something else.
// $ heddle check delays.c -- -DRETRY => verified
// $ heddle check --model sc delays.c -- -DRETRY => verified
// $ heddle check --algorithm await --model sc delays.c -- -DRETRY => verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#ifdef WEAK
#define RELEASE memory_order_relaxed
#else
#define RELEASE memory_order_release
#endif
#define N 2

static atomic_int held;
static int shared;

static void delay_for(unsigned n) {
  for (volatile unsigned i = 0; i < n; ++i) {
  }
}

#ifdef TAS
static int lock(void) {
  for (unsigned delay = 1; atomic_exchange_explicit(&held, 1, memory_order_acquire);
       delay = delay < 1024 ? delay * 2 : delay) {
    for (unsigned i = 0; i < delay; ++i) delay_for(10);
  }
  return 1;
}
#endif
#ifdef CAS
static int lock(void) {
  unsigned delay = 16;
  for (;;) {
    int expected = 0;
    if (atomic_compare_exchange_strong_explicit(&held, &expected, 1, memory_order_acquire, memory_order_relaxed)) break;
    usleep(delay);
    delay += delay;
  }
  return 1;
}
#endif
#ifdef LIMIT
static int lock(void) {
  unsigned delay = 1;
  for (int i = 0; atomic_exchange_explicit(&held, 1, memory_order_acquire); ++i, delay *= 2) {
    delay_for(delay);
#ifdef HASTY
    if (i == LIMIT) return 0;
#else
    if (i == LIMIT) exit(0);
#endif
  }
  return 1;
}
#endif

static void* worker(void* arg) {
#ifdef RETRY
  int old = atomic_load_explicit(&held, memory_order_relaxed);
  for (unsigned delay = 1;
       !atomic_compare_exchange_strong_explicit(&held, &old, old + 1, memory_order_relaxed, memory_order_relaxed);
       delay *= 2)
    delay_for(delay);
#else
  const int locked = lock();
  ++shared;
  if (locked) atomic_store_explicit(&held, 0, RELEASE);
#endif
  return arg;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; ++i) pthread_create(&t[i], 0, worker, 0);
  for (int i = 0; i < N; ++i) pthread_join(t[i], 0);
#ifdef RETRY
  assert(held == N);
#else
  assert(shared == N);
#endif
  return 0;
}
