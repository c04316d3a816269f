// An atomic access at an address that is not a multiple of its size.
// $ heddle check misaligned.c => error memory here
#include <pthread.h>

static _Alignas(8) char bytes[16];

static void* f(void* arg) {
  __atomic_store_n((int*)(bytes + 1), 1, __ATOMIC_RELAXED);  // here
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, f, NULL);
  pthread_join(t, NULL);
  return 0;
}
