// An atomic access at an address that is not a multiple of its size; also of a variable that no other thread can see.
// $ heddle check misaligned.c => error memory here
// $ heddle check misaligned.c -- -DALONE => error memory alone
// $ heddle check misaligned.c -- -DLOCAL => error memory local
#include <pthread.h>

static _Alignas(8) char bytes[16];

static void* f(void* arg) {
#ifdef LOCAL
  _Alignas(8) char own[16] = {0};
  __atomic_store_n((int*)(own + 1), 1, __ATOMIC_RELAXED);  // local
#endif
  __atomic_store_n((int*)(bytes + 1), 1, __ATOMIC_RELAXED);  // here
  return arg;
}

int main(void) {
#ifdef ALONE
  __atomic_fetch_add((int*)(bytes + 1), 1, __ATOMIC_RELAXED);  // alone
#endif
  pthread_t t;
  pthread_create(&t, NULL, f, NULL);
  pthread_join(t, NULL);
  return 0;
}
