// Two threads that wait for each other's end.
// $ heddle check join_cycle.c => error deadlock
#include <pthread.h>
#include <stdatomic.h>

static _Atomic(pthread_t) threads[2];
static atomic_int ready;

static void* f(void* arg) {
  pthread_t* other = arg;
  pthread_join(*other, NULL);
  return NULL;
}

static void* g(void* arg) {
  (void)arg;
  if (atomic_load_explicit(&ready, memory_order_acquire)) pthread_join(atomic_load(&threads[0]), NULL);
  return NULL;
}

int main(void) {
  static pthread_t a, b;
  pthread_create(&b, NULL, g, NULL);
  pthread_create(&a, NULL, f, &b);
  atomic_store(&threads[0], a);
  atomic_store_explicit(&ready, 1, memory_order_release);
  pthread_exit(NULL);
}
