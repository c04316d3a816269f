// A handler that is registered while the process exits may run or not.
// $ heddle check exit_beside.c => error assertion runs
// $ heddle check exit_beside.c --algorithm rcmc => error assertion runs
// $ heddle check exit_beside.c --model sc --algorithm await => error assertion runs
// $ heddle check exit_beside.c --model sc --algorithm rvf => error assertion runs
// $ heddle check exit_beside.c -- -DMAY_RUN => verified, 2 executions
// $ heddle check exit_beside.c --model sc --algorithm await -- -DMAY_RUN => verified, 2 executions
// What comes before causally, if only by relaxed accesses, is registered.
// $ heddle check exit_beside.c -- -DSEEN => error assertion runs
// $ heddle check exit_beside.c --model sc --algorithm rvf -- -DSEEN => error assertion runs
// $ heddle check exit_beside.c -- -DSEEN -DMAY_RUN => verified, 1 executions
// It runs after its registration: what was written before is there, and no race.
// $ heddle check exit_beside.c -- -DSEEN -DMAY_RUN -DREADS => verified, 1 executions
// $ heddle check exit_beside.c -- -DMAY_RUN -DREADS => verified, 2 executions
// A registration does not order what other threads do.
// $ heddle check exit_beside.c -- -DSEEN -DMAY_RUN -DRACE => error race
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int seen;
static int data;

static void handler(void) {
#ifdef READS
  assert(data == 1);
#endif
#ifndef MAY_RUN
  assert(0);  // runs
#endif
}
static void nothing(void) {}

static void* f(void* arg) {
  data = 1;
  atexit(handler);
  atomic_store_explicit(&seen, 1, memory_order_relaxed);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_detach(t);
#ifdef SEEN
  while (!atomic_load_explicit(&seen, memory_order_relaxed)) {
  }
#endif
#ifdef RACE
  atexit(nothing);
  data = 2;
#endif
  (void)nothing;
}
