// Counters whose old values nobody uses: for await, the order in which they count makes no difference.
// $ heddle check --model sc --no-symmetry commute.c => verified, 36 executions
// $ heddle check --model sc --algorithm await --no-commute commute.c => verified, 36 executions
// $ heddle check --model sc --algorithm await commute.c => verified, 1 executions
// $ heddle check --model sc --algorithm await commute.c -- -DTYPE=atomic_long => verified, 1 executions
// $ heddle check --model sc --algorithm await commute.c -- -DUSED => verified, 36 executions
// $ heddle check --model sc --algorithm await commute.c -- -DMIXED => verified, 16 executions
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef TYPE
#define TYPE atomic_int
#endif

static TYPE x, y;
static int old[3];

static void* count(void* arg) {
  const long i = (long)arg;
#if defined(USED)
  old[i] = atomic_fetch_add(&x, 1);
  old[i] += atomic_fetch_sub(&y, 1);
#elif defined(MIXED)
  // Each of the two others is before or after the exchange, and before or after the load: 4 * 4.
  if (i == 0) {
    old[i] = atomic_exchange(&x, 7);
  } else {
    atomic_fetch_add(&x, 1);
  }
  atomic_fetch_sub(&y, 1);
  if (i == 0) old[i] = atomic_load(&y);
#else
  atomic_fetch_add(&x, i + 1);
  (void)atomic_fetch_sub(&y, 1);
#endif
  return NULL;
}

int main(void) {
  pthread_t threads[3];
  for (long i = 0; i < 3; ++i) pthread_create(&threads[i], NULL, count, (void*)i);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
  assert(atomic_load(&y) == -3);
  (void)old;
  return 0;
}
