// A plain write races with an atomic read that another thread has done before: the report shows the two in this order.
// $ heddle check race_init_again.c => error race, "data race on y"
// $ heddle check --algorithm rcmc race_init_again.c => error race, "data race on y"
// $ heddle check --algorithm await --model sc race_init_again.c => error race, "data race on y"
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void* one(void* p) {
  (void)atomic_load(&y);
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  return p;
}
static void* two(void* p) {
  if (atomic_load_explicit(&x, memory_order_relaxed)) atomic_init(&y, 5);
  return p;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, two, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
