// treiber-stack(N), optimal-dpor-await (FMCAD 2022), Table I: the lock-free stack of Treiber (IBM RJ 5118, 1986). Two
// threads push, all others push and then pop. No node is used twice. All accesses of the stack are seq_cst.
// $ heddle check --no-retries --algorithm await --model sc treiber-stack.c -- -DN=3 => verified, 274 executions
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#ifndef N
#define N 3
#endif

#define PUSHERS 2

typedef struct node {
  _Atomic(struct node*) next;
  bool popped;
} node_t;

static _Atomic(node_t*) top;
static node_t nodes[N];

static void push(node_t* node) {
  node_t* old;
  do {
    old = atomic_load(&top);
    atomic_store(&node->next, old);
  } while (!atomic_compare_exchange_strong(&top, &old, node));
}

// NULL if there is none.
static node_t* pop(void) {
  for (;;) {
    node_t* old = atomic_load(&top);
    if (!old) return NULL;
    node_t* const next = atomic_load(&old->next);
    if (atomic_compare_exchange_strong(&top, &old, next)) return old;
  }
}

static void* pusher(void* arg) {
  push(arg);
  return NULL;
}

static void* pusher_popper(void* arg) {
  push(arg);
  node_t* const node = pop();
  assert(node && !node->popped);  // it has pushed one itself
  node->popped = true;
  return NULL;
}

int main(void) {
  pthread_t threads[N];
  for (int i = 0; i < N; ++i) pthread_create(&threads[i], NULL, i < PUSHERS ? pusher : pusher_popper, &nodes[i]);
  for (int i = 0; i < N; ++i) pthread_join(threads[i], NULL);
  return 0;
}
