// A thread uses a local variable of a function that has returned.
// $ heddle check dead_local.c => error memory here
#include <pthread.h>

static int* shared;

static void* f(void* arg) {
  *shared = 1;  // here
  return arg;
}

static void publish(int** out) {
  int local = 0;
  *out = &local;
}

int main(void) {
  publish(&shared);
  pthread_t t;
  pthread_create(&t, NULL, f, NULL);
  pthread_join(t, NULL);
  return 0;
}
