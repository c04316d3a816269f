// corr2(N), the program CORR2 of RCMC (POPL 2018) §2.3 for N = 2: two threads write x, N threads read it twice.
// Two orders of the writes, and for each reader two reads that do not go back among three values: 2 * 6^N executions.
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 2
#endif

static atomic_int x;

static void* writer(void* arg) {
  atomic_store_explicit(&x, (int)(long)arg, memory_order_relaxed);
  return NULL;
}

static void* reader(void* arg) {
  (void)atomic_load_explicit(&x, memory_order_relaxed);
  (void)atomic_load_explicit(&x, memory_order_relaxed);
  return arg;
}

int main(void) {
  pthread_t threads[N + 2];
  for (long i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, writer, (void*)(i + 1));
  for (int i = 2; i < N + 2; ++i) pthread_create(&threads[i], NULL, reader, NULL);
  for (int i = 0; i < N + 2; ++i) pthread_join(threads[i], NULL);
  return 0;
}
