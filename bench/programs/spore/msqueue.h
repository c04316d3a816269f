// The queue of Michael and Scott (Nonblocking algorithms and preemption-safe locking, JPDC 1998). A dequeuer that finds
// tail behind helps and starts again, so that head never overtakes tail.
#include "enqueue.h"

static bool take(unsigned* value) {
  for (;;) {
    node_t* h = load(&head);
    node_t* t = load(&tail);
    node_t* next = load(&h->next);
    heddle_assume(h == load(&head));
    if (h != t) {
      heddle_assume(cas(&head, h, next));
      *value = next->value;
      return true;
    }
    if (next == NULL) return FOUND_EMPTY(h), false;
    heddle_assume(HELPING(cas(&tail, t, next)));
  }
}
