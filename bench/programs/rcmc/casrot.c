// casrot(N), RCMC (POPL 2018), Table 1: thread i performs CAS_rlx(x, i-1, i).
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 4
#endif

static atomic_int x;

static void* rotate(void* arg) {
  const int i = (int)(long)arg;
  int expected = i - 1;
  atomic_compare_exchange_strong_explicit(&x, &expected, i, memory_order_relaxed, memory_order_relaxed);
  return NULL;
}

int main(void) {
  pthread_t threads[N];
  for (long i = 0; i < N; ++i) pthread_create(&threads[i], NULL, rotate, (void*)(i + 1));
  for (int i = 0; i < N; ++i) pthread_join(threads[i], NULL);
  return 0;
}
