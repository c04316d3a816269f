// A job is freed as soon as it is taken, but whoever takes it answers afterwards, by an atomic write. In the report the
// answer comes after the free.
// $ heddle check late_answer.c => error memory here, "which is freed"
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct job {
  int id;
  atomic_int done;
};
_Atomic(struct job*) slot;

void* submit(void* arg) {
  struct job* j = calloc(1, sizeof *j);
  atomic_store(&slot, j);
  while (atomic_load(&slot)) {}
  free(j);
  return arg;
}

void* serve(void* arg) {
  struct job* j;
  while (!(j = atomic_load(&slot))) {}
  atomic_store(&slot, NULL);
  atomic_store(&j->done, 1);  // here
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, submit, 0);
  pthread_create(&b, 0, serve, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
