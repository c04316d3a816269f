// A weak compare-and-swap may fail although the value is the expected one; with any other value there is one way to fail.
// Two threads: both spuriously; one succeeds and the other reads 0 spuriously or 1; and the same the other way round.
// $ heddle check --no-symmetry spurious_counts.c => verified, 2 executions
// $ heddle check --no-symmetry --spurious-cas spurious_counts.c => verified, 5 executions
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void* f(void* arg) {
  int expected = 0;
  atomic_compare_exchange_weak(&x, &expected, 1);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, f, NULL);
  pthread_create(&b, NULL, f, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
