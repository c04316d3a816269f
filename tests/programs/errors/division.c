// Division by zero in one execution.
// $ heddle check division.c => error crash here
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;
static int result;

static void* set(void* arg) {
  atomic_store(&x, 7);
  return arg;
}

static void* divide(void* arg) {
  result = 100 / atomic_load(&x);  // here
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, set, NULL);
  pthread_create(&b, NULL, divide, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
