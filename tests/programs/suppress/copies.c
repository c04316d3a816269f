// Accesses that are no scalars: a copy of a structure, whose parts may come from different writes.
// $ heddle check copies.c => error race
// $ heddle check --suppress copies.supp copies.c => verified, 1 suppressed
// $ heddle check --suppress copies.supp copies.c -- -DWHOLE => error assertion
#include <assert.h>
#include <pthread.h>

struct pair {
  long a, b;
};

struct pair box;

void* write_pair(void* argument) {
  struct pair p = {1, 1};
  box = p;
  return argument;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, write_pair, 0);
  struct pair p = box;
#ifdef WHOLE
  assert(p.a == p.b);
#else
  assert((p.a | p.b) <= 1);
#endif
  pthread_join(t, 0);
}
