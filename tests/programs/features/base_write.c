// A plain initialisation before the threads start, or before publication, is the first value of an atomic.
// $ heddle check base_write.c => verified, 1 executions
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct counter {
  atomic_int n;
};

static void* f(void* arg) {
  assert(atomic_load(&((struct counter*)arg)->n) == 5);
  return NULL;
}

int main(void) {
  struct counter* c = malloc(sizeof *c);
  atomic_init(&c->n, 5);
  pthread_t t;
  pthread_create(&t, NULL, f, c);
  pthread_join(t, NULL);
  free(c);
  return 0;
}
