// ms-queue(N), optimal-dpor-await (FMCAD 2022), Table I: the queue of Michael and Scott (PODC 1996). Who loses the race
// for the end of the queue helps the winner to move the tail. The first thread dequeues, the second enqueues, all
// others enqueue and then dequeue. No node is used twice, so pointers need no counts. All accesses of the queue are
// seq_cst.
//
// The paper's static analysis finds no pure round here, so that its counts depend on a bound of loops; these are those
// of its column for a dynamic analysis (SAVER), which has no awaits.
// $ heddle check --algorithm await --model sc ms-queue.c -- -DN=3 => verified, 75 executions
// $ heddle check --algorithm await --model sc --no-await ms-queue.c -- -DN=3 => verified, 75 executions, 284 blocked
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#ifndef N
#define N 3
#endif

typedef struct node {
  _Atomic(struct node*) next;
  bool dequeued;
} node_t;

static node_t dummy;
static node_t nodes[N];
static _Atomic(node_t*) head = &dummy, tail = &dummy;

static bool replace(_Atomic(node_t*)* pointer, node_t* old, node_t* new) {
  return atomic_compare_exchange_strong(pointer, &old, new);
}

static void enqueue(node_t* node) {
  for (;;) {
    node_t* const last = atomic_load(&tail);
    node_t* const next = atomic_load(&last->next);
    if (last != atomic_load(&tail)) continue;
    if (next) {
      replace(&tail, last, next);
    } else if (replace(&last->next, NULL, node)) {
      replace(&tail, last, node);
      return;
    } else {
      replace(&tail, last, atomic_load(&last->next));
    }
  }
}

// The node with what is first, NULL if the queue is empty.
static node_t* dequeue(void) {
  for (;;) {
    node_t* const first = atomic_load(&head);
    node_t* const last = atomic_load(&tail);
    node_t* const next = atomic_load(&first->next);
    if (first != atomic_load(&head)) continue;
    if (first == last) {
      if (!next) return NULL;
      replace(&tail, last, next);
    } else if (replace(&head, first, next)) {
      return next;
    }
  }
}

static void take(void) {
  node_t* const node = dequeue();
  if (!node) return;
  assert(!node->dequeued);
  node->dequeued = true;
}

static void* dequeuer(void* arg) {
  take();
  return arg;
}

static void* enqueuer(void* arg) {
  enqueue(arg);
  return arg;
}

static void* both(void* arg) { return dequeuer(enqueuer(arg)); }

int main(void) {
  static void* (*const kinds[])(void*) = {dequeuer, enqueuer, both};
  pthread_t threads[N];
  for (int i = 0; i < N; ++i) pthread_create(&threads[i], NULL, kinds[i < 2 ? i : 2], &nodes[i]);
  for (int i = 0; i < N; ++i) pthread_join(threads[i], NULL);
  return 0;
}
