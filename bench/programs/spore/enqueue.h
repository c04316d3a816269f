// enqueue of Michael and Scott (JPDC 1998), which the DGLM queue shares (Fig. 2).
#ifndef ENQUEUE_H
#define ENQUEUE_H

#include "queue.h"

static void put(unsigned value) {
  node_t* node = new_node(value);
  for (;;) {
    node_t* t = load(&tail);
    node_t* next = load(&t->next);
    heddle_assume(t == load(&tail));
    if (next == NULL) {
      heddle_assume(cas(&t->next, NULL, node));
      HELPED(cas(&tail, t, node));
      return;
    }
    heddle_assume(HELPING(cas(&tail, t, next)));
  }
}

#endif
