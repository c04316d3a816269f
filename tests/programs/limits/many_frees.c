// Memory that a thread frees is used again, late: long runs stay small.
// $ heddle check many_frees.c --memory-limit 400M => verified, 1 executions
// $ heddle check many_frees.c --memory-limit 400M -- -DALIGNED => verified, 1 executions
// $ heddle check many_frees.c --memory-limit 400M -- -DLARGE => verified, 1 executions
// $ heddle check many_frees.c --memory-limit 400M -- -DSIZES => verified, 1 executions
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static void* run(void* argument) { return argument; }

static void* get(int i) {
#if defined(ALIGNED)
  return aligned_alloc(64, 64);
#elif defined(LARGE)
  return malloc(300000 + i % 7);
#elif defined(SIZES)
  return malloc(1 + i * 37 % 3000);
#else
  return malloc(48);
#endif
}

#if defined(LARGE)
#define ROUNDS 2000
#else
#define ROUNDS 300000
#endif

int main(void) {
  pthread_t t;
  for (int i = 0; i < ROUNDS; i++) {
    char* p = get(i);
    p[0] = 1;
    assert(p[0] == 1);
    free(p);
  }
  pthread_create(&t, NULL, run, NULL);
  pthread_join(t, NULL);
  return 0;
}
