// Atomic accesses of different sizes to the same bytes are refused for now.
// $ heddle check mixed_sizes.c => exit 2, "size"
#include <pthread.h>
#include <stdatomic.h>

static _Alignas(8) char bytes[8];

static void* f(void* arg) {
  __atomic_store_n((int*)bytes, 1, __ATOMIC_RELAXED);
  return arg;
}

static void* g(void* arg) {
  (void)__atomic_load_n((long*)bytes, __ATOMIC_RELAXED);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, f, NULL);
  pthread_create(&b, NULL, g, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
