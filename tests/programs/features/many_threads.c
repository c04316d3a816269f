// Thirty threads, without conflicts: one execution.
// $ heddle check many_threads.c => verified, 1 executions
#include <assert.h>
#include <pthread.h>

#define THREADS 30
static int x[THREADS];

static void* f(void* arg) {
  x[(long)arg] = 1;
  return NULL;
}

int main(void) {
  pthread_t t[THREADS];
  for (long i = 0; i < THREADS; ++i) pthread_create(&t[i], NULL, f, (void*)i);
  for (int i = 0; i < THREADS; ++i) {
    pthread_join(t[i], NULL);
    assert(x[i] == 1);
  }
  return 0;
}
