// The queue of Doherty, Groves, Luchangco and Moir (FORTE 2004), as in Fig. 2: a dequeuer looks at tail only after it
// has taken a node.
#include "enqueue.h"

static bool take(unsigned* value) {
  node_t* h = load(&head);
  node_t* next = load(&h->next);
  heddle_assume(h == load(&head));
  if (next == NULL) return FOUND_EMPTY(h), false;
  heddle_assume(cas(&head, h, next));
  node_t* t = load(&tail);
  if (h == t) (void)HELPING(cas(&tail, t, next));
  *value = next->value;
  return true;
}
