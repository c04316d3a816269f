// The stack of Treiber (Coping with Parallelism, IBM RJ 5118, 1986).
#include "container.h"

typedef struct node {
  unsigned value;
  struct node* next;
} node_t;

static _Atomic(node_t*) top;

static void init(void) { atomic_init(&top, NULL); }

static node_t* load_top(void) { return atomic_load_explicit(&top, memory_order_acquire); }

static bool cas_top(node_t* expected, node_t* desired) {
  return atomic_compare_exchange_strong_explicit(&top, &expected, desired, memory_order_release, memory_order_relaxed);
}

static void put(unsigned value) {
  node_t* node = malloc(sizeof *node);
  node->value = value;
  node->next = load_top();
  heddle_assume(cas_top(node->next, node));
}

static bool take(unsigned* value) {
  node_t* node = load_top();
  if (node == NULL) return false;
  heddle_assume(cas_top(node, node->next));
  *value = node->value;
  return true;
}
