// Recursion without an end.
// $ heddle check recursion.c => error crash, "stack"
#include <pthread.h>

static int depth(volatile int* up) {
  volatile int here = *up + 1;
  return depth(&here) + *up;
}

static void* f(void* arg) {
  volatile int zero = 0;
  depth(&zero);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, f, NULL);
  pthread_join(t, NULL);
  return 0;
}
