// How many executions there are, without a look at each. Of a small program the number is exact.
// $ heddle estimate estimate.c => exit 0, "6 executions, explored in"
// $ heddle estimate estimate.c --time-limit 2 -- -DTHREADS=11 => exit 0, "random descents"
// $ heddle estimate estimate.c --time-limit 2 --format json -- -DTHREADS=11 => exit 0, "descents_with_errors"
// $ heddle estimate estimate.c -- -DWRONG => exit 0, "There are errors"
// $ heddle estimate estimate.c -- -DENDLESS => exit 2, "has no known bound"
// $ heddle estimate estimate.c --algorithm rvf --model sc => exit 2, "only an exploration by spore can be estimated"
// $ heddle estimate nothing_here.c => exit 2, "no such file"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef THREADS
#define THREADS 3
#endif

static atomic_int x;
static int ids[THREADS];

static void* run(void* id) {
  const int before = atomic_exchange(&x, *(int*)id);
  (void)before;
#ifdef WRONG
  assert(before != 2);
#endif
#ifdef ENDLESS
  for (int n = 0; atomic_fetch_add(&x, 1) != 1000 - n; n++) {
  }
#endif
  return NULL;
}

int main(void) {
  pthread_t t[THREADS];
  for (int i = 0; i < THREADS; i++) ids[i] = i + 1;
  for (int i = 0; i < THREADS; i++) pthread_create(&t[i], NULL, run, &ids[i]);
  for (int i = 0; i < THREADS; i++) pthread_join(t[i], NULL);
  return 0;
}
