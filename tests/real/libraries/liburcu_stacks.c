// The wait-free and the lock-free stack of liburcu, from their headers. They use volatile where C11 has relaxed
// atomics. needs: urcu/wfstack.h
// A pop relies on an address dependency, which rc11 does not know.
// $ heddle check --volatile relaxed liburcu_stacks.c => error race, "b.next"
// $ heddle check --volatile relaxed --suppress liburcu.supp --model tso liburcu_stacks.c => verified
// $ heddle check --volatile relaxed --suppress liburcu.supp --model sc liburcu_stacks.c => verified
// $ heddle check --volatile relaxed liburcu_stacks.c -- -DLOCK_FREE => error race, "b.next"
// $ heddle check --volatile relaxed --suppress liburcu.supp --model tso liburcu_stacks.c -- -DLOCK_FREE => verified
// $ heddle check --volatile relaxed --suppress liburcu.supp --model sc liburcu_stacks.c -- -DLOCK_FREE => verified
// Without the mutex of the stack, a pop takes a node that came back for one that was never away (ABA).
// $ heddle check --volatile relaxed --suppress liburcu.supp --model sc liburcu_stacks.c -- -DBUG => error assertion here
#define _LGPL_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <urcu/lfstack.h>
#include <urcu/wfstack.h>

#ifdef LOCK_FREE
#define STACK(name) cds_lfs_##name
#else
#define STACK(name) cds_wfs_##name
#endif
typedef struct STACK(node) Node;

static struct STACK(stack) stack;
static Node a, b;

static void push(Node* node) {
  STACK(node_init)(node);
  STACK(push)(&stack, node);
}
static Node* pop(void) {
#ifdef BUG
  return __cds_wfs_pop_blocking(&stack);
#else
  return STACK(pop_blocking)(&stack);
#endif
}

static Node* taken;

static void* other(void* arg) {
  Node* first = pop();
  taken = pop();
  if (first) push(first);
  return arg;
}

int main(void) {
  STACK(init)(&stack);
  push(&a);
  push(&b);
  pthread_t t;
  pthread_create(&t, NULL, other, NULL);
  Node* mine = pop();
  pthread_join(t, NULL);
  Node* rest = pop();
  assert(!rest || (rest != taken && rest != mine));  // here
  STACK(destroy)(&stack);
}
