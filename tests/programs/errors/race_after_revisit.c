// The same race in two executions; in the second, a revisit makes the threads run in the other order.
// $ heddle check race_after_revisit.c => error race here
// $ heddle check --keep-going race_after_revisit.c => error race here
#include <pthread.h>
#include <stdatomic.h>

static long x;
static atomic_int y;

static void* reader(void* arg) {
  x = 1;
  (void)atomic_load_explicit(&y, memory_order_relaxed);
  return arg;
}

static void* writer(void* arg) {
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  x = 1;  // here
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, reader, NULL);
  pthread_create(&b, NULL, writer, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
