// A thread waits for a pointer and then uses what it points to. It has one execution: the wait is in the read.
// $ heddle check --no-purity pointer.c => verified, 1 executions, 0 blocked
// $ heddle check --no-purity --model sc pointer.c => verified, 1 executions, 0 blocked
// $ heddle check --no-purity --algorithm rcmc pointer.c => verified, 1 executions
// $ heddle check --no-purity --algorithm await --model sc pointer.c => verified, 1 executions, 0 blocked
// $ heddle check --no-await pointer.c => verified, 1 executions
// $ heddle check --no-await --algorithm await --model sc pointer.c => verified, 1 executions, 1 blocked
// $ heddle check pointer.c -- -DLOOK_FIRST => verified, 3 executions, 0 blocked
// $ heddle check --algorithm await --model sc pointer.c -- -DLOOK_FIRST => verified, 3 executions, 0 blocked
// $ heddle check pointer.c -- -DMARKED => verified, 1 executions, 0 blocked
// $ heddle check pointer.c -- -DPUBLISH=memory_order_relaxed => error race
// $ heddle check --algorithm rcmc pointer.c -- -DPUBLISH=memory_order_relaxed => error race
// $ heddle check pointer.c -- -DNEVER => error livelock
// $ heddle check --algorithm await --model sc pointer.c -- -DNEVER => error livelock
// $ heddle check --algorithm await --model sc pointer.c -- -DMARKED -DNEVER => error livelock
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#ifndef PUBLISH
#define PUBLISH memory_order_release
#endif

struct node {
  int value;
  atomic_int seen;
};
static _Atomic(struct node*) head;
static atomic_int hurry;

#define MARK ((struct node*)1)

static struct node* wait(void) {
  struct node* p;
#ifdef MARKED
  do {
    p = atomic_load_explicit(&head, memory_order_acquire);
  } while (p == NULL || p == MARK);
#elif defined(LOOK_FIRST)
  p = atomic_load_explicit(&head, memory_order_acquire);
  if (!p) {
    if (atomic_load_explicit(&hurry, memory_order_relaxed)) return NULL;
    while (!(p = atomic_load_explicit(&head, memory_order_acquire))) {
    }
  }
#else
  while (!(p = atomic_load_explicit(&head, memory_order_acquire))) {
  }
#endif
  return p;
}

static void* receiver(void* unused) {
  struct node* const p = wait();
  if (!p) return unused;
  assert(p->value == 42);
  atomic_store(&p->seen, 1);
  return unused;
}

int main(void) {
  static struct node n;
  pthread_t t;
  pthread_create(&t, 0, receiver, 0);
  n.value = 42;
#ifdef MARKED
  atomic_store_explicit(&head, MARK, memory_order_relaxed);
#endif
#ifndef NEVER
  atomic_store_explicit(&head, &n, PUBLISH);
#endif
#ifdef LOOK_FIRST
  atomic_store_explicit(&hurry, 1, memory_order_relaxed);
#endif
  pthread_join(t, 0);
  return 0;
}
