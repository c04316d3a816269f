// Treiber's stack with retry loops; the popper waits until there is something.
// $ heddle check treiber.c => verified
// $ heddle check --model sc treiber.c => verified
// $ heddle check --model tso treiber.c => verified
// $ heddle check --algorithm rcmc treiber.c => verified
// $ heddle check --algorithm await --model sc treiber.c => verified
// $ heddle check treiber.c -- -DWEAK => error race
// $ heddle check --algorithm rcmc treiber.c -- -DWEAK => error race
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef WEAK
#define RELEASE memory_order_relaxed
#else
#define RELEASE memory_order_release
#endif
#ifndef N
#define N 1
#endif

struct node {
  int value;
  struct node* next;
};
static _Atomic(struct node*) top;

static void push(int v) {
  struct node* n = malloc(sizeof *n);
  n->value = v;
  n->next = atomic_load_explicit(&top, memory_order_relaxed);
  while (!atomic_compare_exchange_weak_explicit(&top, &n->next, n, RELEASE, memory_order_relaxed)) {
  }
}

static int pop(void) {
  struct node* n;
  do {
    while (!(n = atomic_load_explicit(&top, memory_order_acquire))) {
    }
  } while (!atomic_compare_exchange_strong_explicit(&top, &n, n->next, memory_order_acquire, memory_order_relaxed));
  return n->value;
}

static void* pusher(void* arg) {
  push((int)(long)arg);
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, pusher, (void*)1);
  pthread_create(&b, 0, pusher, (void*)2);
  assert(pop() + pop() == 3);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
