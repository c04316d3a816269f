// mcslock(N), optimal-dpor-await (FMCAD 2022), Table I: the queue lock of Mellor-Crummey and Scott (ACM TOCS 9(1),
// 1991), as the Linux kernel has it. Each thread brings a node; who finds another before it in the queue waits in its
// own node until that one hands the lock over. N threads take the lock once each. All accesses are seq_cst.
//
// The paper has 336 executions for N=3 and 26232 for N=4: its lock or its threads do something more.
// $ heddle check --algorithm await --model sc mcslock.c -- -DN=3 => verified, 66 executions
// $ heddle check --algorithm await --model sc mcslock.c -- -DN=4 => verified, 1080 executions
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef N
#define N 2
#endif

typedef struct node {
  _Atomic(struct node*) next;
  atomic_int locked;  // the lock is ours
} node_t;

static _Atomic(node_t*) last;
static node_t nodes[N];
static int shared;

static void lock(node_t* node) {
  atomic_store(&node->locked, 0);
  atomic_store(&node->next, NULL);
  node_t* const before = atomic_exchange(&last, node);
  if (!before) return;
  atomic_store(&before->next, node);
  while (!atomic_load(&node->locked)) {
  }
}

static void unlock(node_t* node) {
  node_t* next = atomic_load(&node->next);
  if (!next) {
    node_t* expected = node;
    if (atomic_compare_exchange_strong(&last, &expected, NULL)) return;
    while (!(next = atomic_load(&node->next))) {
    }
  }
  atomic_store(&next->locked, 1);
}

static void* work(void* arg) {
  node_t* const node = arg;
  lock(node);
  ++shared;
  unlock(node);
  return NULL;
}

int main(void) {
  pthread_t threads[N];
  for (int i = 0; i < N; ++i) pthread_create(&threads[i], NULL, work, &nodes[i]);
  for (int i = 0; i < N; ++i) pthread_join(threads[i], NULL);
  assert(shared == N);
  return 0;
}
