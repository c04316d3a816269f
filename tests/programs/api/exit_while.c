// What another thread registers while the handlers run is next, if it comes before the next one begins.
// $ heddle check exit_while.c => error assertion runs
// $ heddle check exit_while.c --algorithm rcmc => error assertion runs
// $ heddle check exit_while.c --model sc --algorithm await => error assertion runs
// $ heddle check exit_while.c --model sc --algorithm rvf => error assertion runs
// $ heddle check exit_while.c -- -DMAY_RUN => verified, 1 executions
// In a thread that a handler starts.
// $ heddle check exit_while.c -- -DSTARTED => error assertion runs
// $ heddle check exit_while.c -- -DSTARTED -DMAY_RUN => verified, 1 executions
// The last one may be too late: then atexit fails.
// $ heddle check exit_while.c -- -DBESIDE => error assertion runs
// $ heddle check exit_while.c -- -DBESIDE -DMAY_RUN => verified
// $ heddle check exit_while.c -- -DBESIDE -DMAY_RUN -DMUST_SUCCEED => error assertion
// A thread that calls exit while the handlers run gets no further.
// $ heddle check exit_while.c -- -DSTARTED -DLEAVES -DMAY_RUN => error deadlock
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int go, order;
static pthread_t t;

static void first(void) { assert(order == 2); }
static void second(void) {
#ifndef MAY_RUN
  assert(0);  // runs
#endif
  order = 2;
}
static void* register_it(void* p) {
#ifndef STARTED
  while (!go) {
  }
#endif
#ifdef LEAVES
  exit(0);
#endif
#ifdef MUST_SUCCEED
  assert(atexit(second) == 0);
#elif defined BESIDE
  (void)atexit(second);
#else
  const int failed = atexit(second);
  assert(!failed);
#endif
  return p;
}
static void last(void) {
#ifdef STARTED
  pthread_create(&t, 0, register_it, 0);
#else
  go = 1;
#endif
#ifndef BESIDE
  pthread_join(t, 0);
#endif
}

int main(void) {
#ifndef BESIDE
  atexit(first);
#endif
  atexit(last);
#ifndef STARTED
  pthread_create(&t, 0, register_it, 0);
#endif
  return 0;
}
