// A null dereference, found in the execution in which the pointer is not set yet.
// $ heddle check null.c => error memory here
#include <pthread.h>
#include <stdatomic.h>

static int x;
static _Atomic(int*) p;

static void* set(void* arg) {
  atomic_store(&p, &x);
  return arg;
}

static void* use(void* arg) {
  *atomic_load(&p) = 1;  // here
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, set, NULL);
  pthread_create(&b, NULL, use, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
