// A lock-free stack of nodes that are used again. A pop reads the head and the node below it, then swings the head from
// the one to the other. In between another thread pops both and pushes the first one back: the head is what it was, the
// compare-exchange succeeds, and a node that is in use becomes the head. With -DRIGHT the head has a counter.
//
// $ heddle check aba_stack.c => error assertion here
// $ heddle check --model sc aba_stack.c => error assertion here
// $ heddle check aba_stack.c -- -DRIGHT => verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { NONE = 0, A = 1, B = 2 };  // nodes, by their numbers

static atomic_int next[3] = {NONE, B, NONE}, owners[3];
static atomic_int head = A;  // a node; with -DRIGHT plus 16 times the number of changes

static int below(int old, int node) {
#ifdef RIGHT
  return old / 16 * 16 + 16 + node;
#else
  (void)old;
  return node;
#endif
}

static int pop(void) {
  int old = atomic_load(&head);
  while (old % 16 != NONE) {
    const int after = atomic_load(&next[old % 16]);
    if (atomic_compare_exchange_strong(&head, &old, below(old, after))) break;
  }
  const int node = old % 16;
  if (node != NONE) assert(atomic_fetch_add(&owners[node], 1) == 0);  // here
  return node;
}

static void push(int node) {
  atomic_fetch_sub(&owners[node], 1);
  int old = atomic_load(&head);
  do {
    atomic_store(&next[node], old % 16);
  } while (!atomic_compare_exchange_strong(&head, &old, below(old, node)));
}

static void* pops_two(void* arg) {
  pop();
  pop();
  return arg;
}

static void* pops_two_and_returns_one(void* arg) {
  const int first = pop();
  pop();
  if (first != NONE) push(first);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, pops_two, NULL);
  pthread_create(&b, NULL, pops_two_and_returns_one, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
