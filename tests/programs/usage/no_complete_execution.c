// If no execution is complete, nothing has been checked to its end: the assumption that stops them is named.
// $ heddle check --format text no_complete_execution.c => exit 3, "at the assumption at no_complete_execution.c:18"
// $ heddle check --format json no_complete_execution.c => exit 3, ""limit": "assumption""
// $ heddle check no_complete_execution.c --algorithm rcmc => exit 3, "no execution is complete"
// $ heddle check no_complete_execution.c --model sc --algorithm await => exit 3, "no execution is complete"
// $ heddle check no_complete_execution.c --model sc --algorithm rvf => exit 3, "no execution is complete"
// $ heddle check no_complete_execution.c -- -DTHREADS => exit 3, "at the assumption at no_complete_execution.c:33"
// $ heddle check no_complete_execution.c --jobs 1 -- -DTHREADS => exit 3, "no execution is complete"
// One is enough.
// $ heddle check no_complete_execution.c -- -DTHREADS -DSOMETIMES => verified
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void stop(int may) {
  heddle_assume(may);
}

static void* f(void* arg) {
  atomic_fetch_add(&x, 1);
  return arg;
}

int main(void) {
#ifdef THREADS
  pthread_t t[3];
  for (int i = 0; i < 3; ++i) pthread_create(&t[i], 0, f, 0);
#ifdef SOMETIMES
  stop(atomic_load(&x) == 2);
#else
  stop(atomic_load(&x) > 3);
#endif
  for (int i = 0; i < 3; ++i) pthread_join(t[i], 0);
#else
  (void)f;
  stop(0);
#endif
}
