// A plain write races with an atomic read of the same variable.
// $ heddle check race_with_atomic.c => error race here
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void* plain(void* arg) {
  *(int*)&x = 1;  // here
  return arg;
}

static void* atomic(void* arg) {
  (void)atomic_load(&x);  // here
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, plain, NULL);
  pthread_create(&b, NULL, atomic, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
