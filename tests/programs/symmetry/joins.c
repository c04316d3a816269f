// Two pairs of symmetric threads, joined crosswise, of which one may wait for ever. Joins in a row tell nobody apart,
// also where main does not get through them.
// $ heddle check --symmetry joins.c => incomplete, 0 executions, 1 blocked
// $ heddle check --no-symmetry joins.c => incomplete, 0 executions, 4 blocked
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int a, b;

static void* first(void* arg) {
  heddle_assume(atomic_fetch_add_explicit(&a, 1, memory_order_relaxed) != 0);
  return arg;
}

static void* second(void* arg) {
  atomic_fetch_add_explicit(&b, 1, memory_order_relaxed);
  return arg;
}

int main(void) {
  pthread_t t[2], u[2];
  pthread_create(&t[0], NULL, first, NULL);
  pthread_create(&t[1], NULL, first, NULL);
  pthread_create(&u[0], NULL, second, NULL);
  pthread_create(&u[1], NULL, second, NULL);
  pthread_join(t[0], NULL);
  pthread_join(u[0], NULL);
  pthread_join(t[1], NULL);
  pthread_join(u[1], NULL);
  return 0;
}
