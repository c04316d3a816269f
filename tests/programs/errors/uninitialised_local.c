// A local variable that is not set on every way.
// $ heddle check uninitialised_local.c => error memory here
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int g;

static void* f(void* arg) {
  int x;
  if (atomic_load_explicit(&g, memory_order_relaxed)) x = 1;
  assert(x == 1);  // here
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, f, NULL);
  atomic_store_explicit(&g, 1, memory_order_relaxed);
  pthread_join(t, NULL);
  return 0;
}
