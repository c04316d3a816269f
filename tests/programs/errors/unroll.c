// A loop that has no bound of its own: with --unroll the result is bounded, not verified; a bug within the bound is found.
// $ heddle check --unroll 3 unroll.c => incomplete, "the loop at"
// $ heddle check --unroll 3 unroll.c -- -DBUG => error assertion here
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;
static int total;

static void* set(void* arg) {
  atomic_store(&flag, 1);
  return arg;
}

static void* wait(void* arg) {
  int rounds = 0;
  while (!atomic_load(&flag)) ++rounds;
  total = rounds;
#ifdef BUG
  assert(rounds < 2);  // here
#endif
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, set, NULL);
  pthread_create(&b, NULL, wait, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return total < 0;
}
