// linuxrwlocks(N), RCMC (POPL 2018), Table 4: the counter-based reader-writer lock of older Linux kernels. The counter
// starts at BIAS; a reader takes 1 of it, a writer all. Who finds too little puts it back and waits.
//
// N threads: thread i reads the shared variable if i is even, else writes it, and a thread that finds its lock taken
// tries again up to RETRIES times.
// $ heddle check linuxrwlocks.c => verified
// $ heddle check linuxrwlocks.c -- -DSC => verified
// $ heddle check linuxrwlocks.c -- -DN=3 -DRETRIES=0 => verified
// $ heddle check linuxrwlocks.c -- -DUNLOCK=memory_order_relaxed => error race
// $ heddle check linuxrwlocks.c -- -DLOCK=memory_order_relaxed => error race
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>

#include "sc.h"

#ifndef N
#define N 2
#endif
#ifndef RETRIES
#define RETRIES 1
#endif
#ifndef LOCK
#define LOCK memory_order_acquire
#endif
#ifndef UNLOCK
#define UNLOCK memory_order_release
#endif

#define BIAS 0x00100000

static atomic_int counter = BIAS;
static int shared;

// Takes `amount` if at least `enough` is there.
static void lock(int amount, int enough) {
  int retries = 0;
  while (atomic_fetch_sub_explicit(&counter, amount, LOCK) < enough) {
    atomic_fetch_add_explicit(&counter, amount, memory_order_relaxed);
    heddle_assume(retries++ < RETRIES);
    heddle_assume(atomic_load_explicit(&counter, memory_order_relaxed) >= enough);
  }
}

static void unlock(int amount) { atomic_fetch_add_explicit(&counter, amount, UNLOCK); }

static void* reader(void* arg) {
  lock(1, 1);
  const int seen = shared;
  assert(seen == shared);
  unlock(1);
  return arg;
}

static void* writer(void* arg) {
  lock(BIAS, BIAS);
  ++shared;
  unlock(BIAS);
  return arg;
}

int main(void) {
  pthread_t threads[N];
  for (int i = 0; i < N; ++i) pthread_create(&threads[i], NULL, i % 2 == 0 ? reader : writer, NULL);
  for (int i = 0; i < N; ++i) pthread_join(threads[i], NULL);
  assert(shared == N / 2);
  assert(atomic_load_explicit(&counter, memory_order_relaxed) == BIAS);
  return 0;
}
