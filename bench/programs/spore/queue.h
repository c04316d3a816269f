// A queue as a list: head is a dummy whose successors hold the values, tail is the last node or, for a while, one
// before it. A node is filled in while it is private, and published by a compare-and-swap.
//
// The orders are the weakest that publish a node. That a failed compare-and-swap does not acquire shows in
// fifo-dglmqueue: with acquire, FIFO(2) has 4258 executions instead of the paper's 4275.
#ifndef QUEUE_H
#define QUEUE_H

#include "container.h"
#include "help.h"

typedef struct node node_t;
typedef _Atomic(node_t*) link_t;
struct node {
  unsigned value;
  link_t next;
};

static node_t* new_node(unsigned value) {
  node_t* node = malloc(sizeof *node);
  node->value = value;
  atomic_init(&node->next, NULL);
  return node;
}

static node_t* load(link_t* link) { return atomic_load_explicit(link, memory_order_acquire); }

static bool cas(link_t* link, node_t* expected, node_t* desired) {
  return atomic_compare_exchange_strong_explicit(link, &expected, desired, memory_order_release, memory_order_relaxed);
}

static link_t head, tail;

static void init(void) {
  node_t* dummy = new_node(0);
  atomic_init(&head, dummy);
  atomic_init(&tail, dummy);
}

#endif
