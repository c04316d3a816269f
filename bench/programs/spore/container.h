// What the clients multiset, fifo, lifo and empty ask of a queue or stack.
#ifndef CONTAINER_H
#define CONTAINER_H

#include "spore.h"

static void init(void);
static void put(unsigned value);
static bool take(unsigned* value);  // false: there is nothing

#endif
