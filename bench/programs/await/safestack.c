// safestack-ABC, optimal-dpor-await (FMCAD 2022), Table II: Dmitry Vyukov's SafeStack, a lock-free stack of the numbers
// of nodes in an array. It has an error that takes at least five changes of threads: a pop takes the next of a node
// away, and puts it back when the head has changed meanwhile; the node may have been popped and pushed by then. Three
// threads do the first A, B and C operations of pop, push, pop, push; two do if C is 0. All accesses are seq_cst.
//
// Who has popped a node owns it: it writes its number into it and must find it there, unless -DNO_ASSERT. The last node
// cannot be popped, so with A=3, B=1, C=1 one thread always waits in vain. The smallest threads that have the error are
// A=3, B=3, C=1: --keep-going finds it, after livelocks; without the assertion there are 5772 executions.
// $ heddle check --no-retries --algorithm await --model sc safestack.c -- -DA=2 -DB=1 -DC=0 => verified, 19 executions
// $ heddle check --no-retries --algorithm await --model sc safestack.c -- -DA=3 -DB=3 -DC=0 => verified, 2600 executions
// $ heddle check --algorithm await --model sc safestack.c -- -DA=3 -DB=1 -DC=1 => error livelock
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#ifndef A
#define A 2
#endif
#ifndef B
#define B 1
#endif
#ifndef C
#define C 0
#endif

#define NODES 3
#define NONE (-1)

static struct {
  atomic_int value;
  atomic_int next;
} nodes[NODES];

static atomic_int head;
static atomic_int count = NODES;

// The number of a node, or NONE if no node can be taken.
static int pop(void) {
  while (atomic_load(&count) > 1) {
    int top = atomic_load(&head);
    const int next = atomic_exchange(&nodes[top].next, NONE);
    if (next == NONE) continue;
    int expected = top;
    if (atomic_compare_exchange_strong(&head, &expected, next)) {
      atomic_fetch_sub(&count, 1);
      return top;
    }
    atomic_exchange(&nodes[top].next, next);
  }
  return NONE;
}

static void push(int node) {
  int top;
  do {
    top = atomic_load(&head);
    atomic_store(&nodes[node].next, top);
  } while (!atomic_compare_exchange_strong(&head, &top, node));
  atomic_fetch_add(&count, 1);
}

static void own(int node, int self) {
#ifndef NO_ASSERT
  atomic_store(&nodes[node].value, self);
  assert(atomic_load(&nodes[node].value) == self);
#endif
}

typedef struct {
  int self;
  int operations;
} work_t;

static void* work(void* arg) {
  const work_t* const w = arg;
  for (int done = 0; done < w->operations; done += 2) {
    int node;
    while ((node = pop()) == NONE) {
    }
    own(node, w->self);
    if (done + 1 < w->operations) push(node);
  }
  return NULL;
}

int main(void) {
  static const work_t all[] = {{1, A}, {2, B}, {3, C}};
  const int started = C == 0 ? 2 : 3;
  pthread_t threads[3];
  for (int i = 0; i < NODES; ++i) atomic_init(&nodes[i].next, i + 1 < NODES ? i + 1 : NONE);
  for (int i = 0; i < started; ++i) pthread_create(&threads[i], NULL, work, (void*)&all[i]);
  for (int i = 0; i < started; ++i) pthread_join(threads[i], NULL);
  return 0;
}
