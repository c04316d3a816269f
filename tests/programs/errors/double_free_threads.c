// Two threads free the same block.
// $ heddle check double_free_threads.c => error memory here
#include <pthread.h>
#include <stdlib.h>

static int* p;

static void* release(void* arg) {
  free(p);  // here
  return arg;
}

int main(void) {
  p = malloc(sizeof *p);
  pthread_t a, b;
  pthread_create(&a, NULL, release, NULL);
  pthread_create(&b, NULL, release, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
