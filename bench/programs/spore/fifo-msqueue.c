// FIFO(N) on the queue of Michael and Scott: SPORE (PLDI 2024), Table 2.
#include "fifo.h"
#include "msqueue.h"
