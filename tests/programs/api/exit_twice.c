// The handlers run once, though two threads leave.
// $ heddle check exit_twice.c => verified, 2 executions
// $ heddle check exit_twice.c --algorithm rcmc => verified, 2 executions
// $ heddle check exit_twice.c --model sc --algorithm await => verified, 2 executions
// $ heddle check exit_twice.c --model sc --algorithm rvf => verified, 2 executions
// What a handler registers runs next.
// $ heddle check exit_twice.c -- -DNESTED => error assertion nested
// But not what it registers for quick_exit.
// $ heddle check exit_twice.c -- -DQUICK => verified
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int runs;
static void nested(void) {
  assert(runs == 0);  // nested
}
static void handler(void) {
  assert(runs == 0);
  ++runs;
}
#ifdef QUICK
static void last(void) { at_quick_exit(handler); }
#else
static void last(void) { atexit(nested); }
#endif
#ifdef NESTED
static void before(void) { ++runs; }
#endif

static void* f(void* arg) {
  (void)arg;
  exit(0);
}

int main(void) {
  atexit(handler);
  atexit(last);
#ifdef NESTED
  atexit(before);
#endif
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_detach(t);
}
