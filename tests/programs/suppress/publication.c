// A node is published without an order: its contents and its allocation race. The reader may see it before it is filled.
// $ heddle check publication.c => error race
// $ heddle check --suppress publish.supp publication.c => error assertion
// $ heddle check --suppress publish.supp publication.c -- -DEITHER => verified, 1 suppressed
// $ heddle check --model sc --suppress publish.supp publication.c => verified, 1 suppressed
// $ heddle check --model tso --suppress publish.supp publication.c => verified, 1 suppressed
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
  int value;
};

struct node* _Atomic shared;

void* publish(void* argument) {
  struct node* n = calloc(1, sizeof *n);
  n->value = 1;
  atomic_store_explicit(&shared, n, memory_order_relaxed);
  return argument;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, publish, 0);
  struct node* n = atomic_load_explicit(&shared, memory_order_relaxed);
  if (n) {
    int value = n->value;
#ifdef EITHER
    assert(value == 1 || value == 0);
#else
    assert(value == 1);
#endif
  }
  pthread_join(t, 0);
}
