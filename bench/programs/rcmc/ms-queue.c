// ms-queue(N), RCMC (POPL 2018), Table 4: the queue of Michael and Scott (PODC 1996) with counted pointers. A pointer
// is the index of a node and a count that grows with each change, both in one word, so that a node may be used again.
//
// N threads: each enqueues its number and then dequeues once. What comes out has gone in, and no value comes out twice.
// A failed attempt is not repeated: the execution ends there.
// $ heddle check ms-queue.c => verified
// $ heddle check ms-queue.c -- -DSC => verified
// $ heddle check --keep-going ms-queue.c -- -DPUBLISH=memory_order_relaxed => error
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "sc.h"

#ifndef N
#define N 2
#endif
#ifndef PUBLISH
#define PUBLISH memory_order_release
#endif

typedef uint64_t pointer_t;

static pointer_t make(uint32_t node, uint32_t count) { return (pointer_t)count << 32 | node; }
static uint32_t node_of(pointer_t p) { return (uint32_t)p; }
static uint32_t count_of(pointer_t p) { return (uint32_t)(p >> 32); }

#define NIL 0  // the index of no node
#define DUMMY (N + 1)

static struct {
  int value;
  _Atomic pointer_t next;
} nodes[DUMMY + 1];

static _Atomic pointer_t head, tail;
static int taken[N + 1];

static pointer_t load(_Atomic pointer_t* p) { return atomic_load_explicit(p, memory_order_acquire); }

// Replaces *p, if it is still `old`, by a pointer to this node.
static bool swing(_Atomic pointer_t* p, pointer_t old, uint32_t node) {
  return atomic_compare_exchange_strong_explicit(p, &old, make(node, count_of(old) + 1), PUBLISH, memory_order_relaxed);
}

static void enqueue(uint32_t node, int value) {
  nodes[node].value = value;
  const pointer_t old = atomic_load_explicit(&nodes[node].next, memory_order_relaxed);
  atomic_store_explicit(&nodes[node].next, make(NIL, count_of(old) + 1), memory_order_relaxed);
  for (;;) {
    const pointer_t t = load(&tail), next = load(&nodes[node_of(t)].next);
    heddle_assume(t == load(&tail));
    if (node_of(next) == NIL) {
      heddle_assume(swing(&nodes[node_of(t)].next, next, node));
      swing(&tail, t, node);
      return;
    }
    heddle_assume(swing(&tail, t, node_of(next)));
  }
}

static bool dequeue(int* value) {
  for (;;) {
    const pointer_t h = load(&head), t = load(&tail), next = load(&nodes[node_of(h)].next);
    heddle_assume(h == load(&head));
    if (node_of(h) == node_of(t)) {
      if (node_of(next) == NIL) return false;
      heddle_assume(swing(&tail, t, node_of(next)));
    } else {
      *value = nodes[node_of(next)].value;
      heddle_assume(swing(&head, h, node_of(next)));
      return true;
    }
  }
}

static void* work(void* arg) {
  const int self = (int)(long)arg;
  enqueue((uint32_t)self, self);
  int value;
  if (dequeue(&value)) taken[self] = value;
  return NULL;
}

int main(void) {
  pthread_t threads[N + 1];
  atomic_init(&head, make(DUMMY, 0));
  atomic_init(&tail, make(DUMMY, 0));
  for (long i = 1; i <= N; ++i) pthread_create(&threads[i], NULL, work, (void*)i);
  for (int i = 1; i <= N; ++i) pthread_join(threads[i], NULL);
  // Each thread has enqueued before it dequeues, so nobody finds the queue empty.
  int seen[N + 1] = {0};
  for (int i = 1; i <= N; ++i) {
    assert(1 <= taken[i] && taken[i] <= N);
    assert(++seen[taken[i]] == 1);
  }
  return 0;
}
