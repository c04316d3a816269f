// What the clients multiset, fifo, lifo and empty ask of a queue or stack.
#ifndef CONTAINER_H
#define CONTAINER_H

#include "spore.h"

// With -DSAME_TAKERS, FIFO(N) counts only the executions in which the last two takers find the container empty at the
// same node, and so do exactly the same: see bench/spore-table.
#ifdef SAME_TAKERS
static void* empty_at[N + 3];
#define FOUND_EMPTY(node) (empty_at[self] = (node))
#else
#define FOUND_EMPTY(node) ((void)0)
#endif

static void init(void);
static void put(unsigned value);
static bool take(unsigned* value);  // false: there is nothing

#endif
