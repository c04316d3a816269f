// One thread frees what the other may still use. It is the free that should wait.
// $ heddle check free_too_early.c => error memory
// $ heddle check free_too_early.c => exit 1, "why: nothing makes T2 line 15 wait for T1 line 10"
#include <pthread.h>
#include <stdlib.h>

static int* p;

static void* use(void* arg) {
  *p = 2;
  return arg;
}

static void* release(void* arg) {
  free(p);
  return arg;
}

int main(void) {
  p = malloc(sizeof *p);
  pthread_t a, b;
  pthread_create(&a, NULL, use, NULL);
  pthread_create(&b, NULL, release, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
