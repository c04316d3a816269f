// Threads that free what they have allocated, over and over, next to others.
// $ heddle check frees_in_threads.c --memory-limit 500M --step-limit 60000 => verified, 2 executions
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int x;

static void* run(void* argument) {
  for (int i = 0; i < 20000; i++) {
    long* p = malloc(100);
    p[0] = i;
    p[11 - i % 3] = i;
    assert(p[0] == i);
    free(p);
  }
  atomic_fetch_add(&x, 1);
  return argument;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], NULL, run, NULL);
  pthread_create(&t[1], NULL, run, &x);
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  assert(x == 2);
  return 0;
}
