// A failed assumption ends the thread, not what it has done before. Where it comes right after a read that nothing can
// change any more, the execution is not looked at any further: of the values of x, no old one leaves a blocked execution.
// $ heddle check assume.c => verified, 1 executions, 0 blocked
// $ heddle check --algorithm rcmc assume.c => verified, 1 executions, 1 blocked
// A plain access or a write before the assumption still counts: in the race, in the assertion.
// $ heddle check assume.c -- -DPLAIN => error race
// $ heddle check --algorithm rcmc assume.c -- -DPLAIN => error race
// $ heddle check --algorithm rcmc --model wrc11 assume.c -- -DPLAIN => error race
// $ heddle check --model sc assume.c -- -DPLAIN => error race
// $ heddle check assume.c -- -DWRITE => error assertion
// $ heddle check --algorithm rcmc assume.c -- -DWRITE => error assertion
// $ heddle check --algorithm rcmc --model wrc11 assume.c -- -DWRITE => error assertion
// $ heddle check assume.c -- -DCOPY => error race
// $ heddle check --algorithm rcmc assume.c -- -DCOPY => error race
// $ heddle check assume.c -- -DLOCAL => error memory
// $ heddle check --algorithm rcmc assume.c -- -DLOCAL => error memory
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static atomic_int x, y;
static _Atomic(int*) local;
static char data[2][64];

static void* writer(void* arg) {
  for (int i = 1; i <= 4; ++i) atomic_store_explicit(&x, i, memory_order_relaxed);
  return arg;
}

static void scope(void) {
#ifdef LOCAL
  int here = 1;
  atomic_store(&local, &here);
  const int seen = atomic_load_explicit(&x, memory_order_relaxed);
  heddle_assume(seen == 2);
#endif
}

static void* reader(void* arg) {
  scope();
#ifdef LOCAL
  heddle_assume(0);
#endif
  const int seen = atomic_load_explicit(&x, memory_order_relaxed);
  if (seen == 2) {
#if defined(PLAIN)
    data[0][0] = 1;
#elif defined(WRITE)
    atomic_store_explicit(&y, 1, memory_order_relaxed);
#elif defined(COPY)
    memcpy(data[0], data[1], sizeof data[0]);
#endif
  }
  heddle_assume(seen == 4);
  return arg;
}

static void* other(void* arg) {
#if defined(PLAIN) || defined(COPY)
  (void)atomic_load_explicit(&y, memory_order_relaxed);  // so that this thread does not run on to the store at its start
  data[0][0] = 2;
#elif defined(WRITE)
  assert(atomic_load_explicit(&y, memory_order_relaxed) == 0);
#elif defined(LOCAL)
  int* p = atomic_load(&local);
  if (p != NULL) (void)*(volatile int*)p;
#endif
  return arg;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], NULL, writer, NULL);
  pthread_create(&threads[1], NULL, reader, NULL);
  pthread_create(&threads[2], NULL, other, NULL);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
  return 0;
}
