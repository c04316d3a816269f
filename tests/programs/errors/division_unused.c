// A division by zero is an error although nobody uses its result, and says nothing about its divisor afterwards.
// $ heddle check division_unused.c => error crash here
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int g;

static void* f(void* arg) {
  const int x = atomic_load_explicit(&g, memory_order_relaxed);
  const int v = 10 / x;  // here
  (void)v;
  assert(x != 0);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, f, NULL);
  pthread_join(t, NULL);
  return 0;
}
