// ainc(N), RCMC (POPL 2018), Table 2: N threads perform one fetch-and-increment of x each, in any order: N!
// executions.
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif

static atomic_int x;

static void* increment(void* arg) {
  atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
  return arg;
}

int main(void) {
  pthread_t threads[N];
  for (int i = 0; i < N; ++i) pthread_create(&threads[i], NULL, increment, NULL);
  for (int i = 0; i < N; ++i) pthread_join(threads[i], NULL);
  return 0;
}
