// casw(N), RCMC (POPL 2018), Table 3: thread i performs CAS_rlx(x, 0, i), then x :=rel i + 3.
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif

static atomic_int x;

static void* work(void* arg) {
  const int i = (int)(long)arg;
  int expected = 0;
  atomic_compare_exchange_strong_explicit(&x, &expected, i, memory_order_relaxed, memory_order_relaxed);
  atomic_store_explicit(&x, i + 3, memory_order_release);
  return NULL;
}

int main(void) {
  pthread_t threads[N];
  for (long i = 0; i < N; ++i) pthread_create(&threads[i], NULL, work, (void*)(i + 1));
  for (int i = 0; i < N; ++i) pthread_join(threads[i], NULL);
  return 0;
}
