// A loop without a visible action never ends: said, not hung. Executions that do not come there are explored.
// $ heddle check endless_loop.c => incomplete, "without a visible action"
// $ heddle check endless_loop.c -- -DTHREADS => error assertion here
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void hang(void) {
  for (;;) {
  }
}

static void* set(void* arg) {
  atomic_store(&x, 1);
  return arg;
}

int main(void) {
#ifdef THREADS
  pthread_t t;
  pthread_create(&t, 0, set, 0);
  if (!atomic_load(&x)) hang();
  assert(!atomic_load(&x));  // here
#else
  (void)set;
  hang();
#endif
}
