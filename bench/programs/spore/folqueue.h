// The queue of Fober, Orlarey and Letz (Optimised Lock-Free FIFO Queue, 2001). An enqueuer tries to link its node at
// once and looks at the successor of tail only if that fails. A dequeuer reads tail twice: the original first reads the
// modification count that stands beside it. Counts are left out here, since no node is ever used again.
//
// Each thread keeps the node that it has to dispose of in a place of its own, so enqueuers are not symmetric (section
// 4.3).
#include "queue.h"

static link_t to_dispose[N + 3];

static void put(unsigned value) {
  node_t* node = new_node(value);
  atomic_store_explicit(&to_dispose[self], node, memory_order_relaxed);
  for (;;) {
    node_t* t = load(&tail);
    if (cas(&t->next, NULL, node)) {
      HELPED(cas(&tail, t, node));
      return;
    }
    node_t* next = load(&t->next);
    heddle_assume(HELPING(cas(&tail, t, next)));
  }
}

static bool take(unsigned* value) {
  for (;;) {
    node_t* h = load(&head);
    node_t* t = load(&tail);
    node_t* next = load(&h->next);
    heddle_assume(h == load(&head));
    if (h != load(&tail)) {
      heddle_assume(next != NULL);
      heddle_assume(cas(&head, h, next));
      *value = next->value;
      return true;
    }
    if (next == NULL) return FOUND_EMPTY(h), false;
    heddle_assume(HELPING(cas(&tail, t, next)));
  }
}
