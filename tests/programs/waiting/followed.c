// What is followed says why: the write that is a change, once for each loop, in the report and in JSON. A loop whose
// rounds change nothing waits, and is not named.
// $ heddle check --unroll 3 followed.c => incomplete
// $ heddle check --unroll 3 --verbose followed.c => incomplete, "since a round may change something, as at followed.c"
// $ heddle check --unroll 3 --verbose followed.c -- -DQUIET => verified, no "since a round"
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready, tries;

static void* wait_for_it(void* arg) {
  while (atomic_load(&ready) == 0) {
#ifndef QUIET
    atomic_store(&tries, atomic_load(&tries) + 1);
#endif
  }
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, wait_for_it, NULL);
  atomic_store(&ready, 1);
  pthread_join(t, NULL);
  while (atomic_load(&ready) == 0) {
  }
  return 0;
}
