// Load buffering is forbidden by RC11: no value out of thin air.
// $ heddle check load_buffering.c => verified, 3 executions
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int a, b;

static void* f(void* arg) {
  a = atomic_load_explicit(&x, memory_order_relaxed);
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  return arg;
}

static void* g(void* arg) {
  b = atomic_load_explicit(&y, memory_order_relaxed);
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  return arg;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, NULL, f, NULL);
  pthread_create(&u, NULL, g, NULL);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  assert(!(a && b));
  return 0;
}
