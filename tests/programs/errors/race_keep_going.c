// Whether the plain store is an action depends on the schedule, because of the race: what follows cannot be replayed, and
// the race is the answer.
// $ heddle check race_keep_going.c => error race
// $ heddle check --keep-going race_keep_going.c => error race
// $ heddle check --keep-going --algorithm rcmc race_keep_going.c => error race
#include <pthread.h>
#include <stdatomic.h>

static atomic_int y;

static void* first(void* arg) {
  *(int*)&y = 1;
  (void)atomic_load_explicit(&y, memory_order_relaxed);
  return arg;
}

static void* second(void* arg) {
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  return arg;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, first, NULL);
  pthread_create(&threads[1], NULL, second, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return 0;
}
