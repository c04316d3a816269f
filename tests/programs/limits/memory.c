// A program that uses more memory than it may.
// $ heddle check memory.c --memory-limit 300M => incomplete, "memory limit"
// $ heddle check memory.c --memory-limit 300M -- -DIN_THREAD => incomplete, "memory limit"
// $ heddle check memory.c --memory-limit 9X => exit 2, "expected a number of bytes such as 800M or 2G"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static void* run(void* argument) {
  for (int i = 0; i < 40; i++) {
    char* p = malloc(10 << 20);
    memset(p, i, 10 << 20);
    if (p[i] != i) return NULL;
  }
  return argument;
}

int main(void) {
  pthread_t t;
#ifdef IN_THREAD
  pthread_create(&t, NULL, run, NULL);
  pthread_join(t, NULL);
#else
  run(NULL);
  pthread_create(&t, NULL, run, NULL);
#endif
  return 0;
}
