// Two plain writes without order.
// $ heddle check race_write_write.c => error race here
#include <pthread.h>

static long x;

static void* f(void* arg) {
  x = 1;  // here
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, f, NULL);
  pthread_create(&b, NULL, f, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
