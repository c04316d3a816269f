// A count of references that is decremented without an order: who frees the object may do so while the other still uses
// it. All uses are atomic.
// $ heddle check reference_count.c => error memory, "a block of 8 bytes from malloc (reference_count.c:"
// $ heddle check reference_count.c => exit 1, "is freed while "
// $ heddle check reference_count.c -- -DORDER=memory_order_acq_rel => verified
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef ORDER
#define ORDER memory_order_relaxed
#endif

struct object {
  atomic_int references;
  int value;
};

void put(struct object* o) {
  if (atomic_fetch_sub_explicit(&o->references, 1, ORDER) == 1) free(o);
}

void* worker(void* arg) {
  put(arg);
  return 0;
}

int main(void) {
  pthread_t a;
  struct object* o = malloc(sizeof *o);
  atomic_init(&o->references, 2);
  pthread_create(&a, 0, worker, o);
  put(o);
  pthread_join(a, 0);
  return 0;
}
