// readers(N), RCMC (POPL 2018), Table 1: one thread writes x, N threads read it. Each reader sees the write or
// not: 2^N executions.
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif

static atomic_int x;

static void* writer(void* arg) {
  atomic_store_explicit(&x, 42, memory_order_release);
  return arg;
}

static void* reader(void* arg) {
  (void)atomic_load_explicit(&x, memory_order_acquire);
  return arg;
}

int main(void) {
  pthread_t threads[N + 1];
  pthread_create(&threads[0], NULL, writer, NULL);
  for (int i = 1; i <= N; ++i) pthread_create(&threads[i], NULL, reader, NULL);
  for (int i = 0; i <= N; ++i) pthread_join(threads[i], NULL);
  return 0;
}
