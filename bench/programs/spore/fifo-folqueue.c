// FIFO(N) on the queue of Fober, Orlarey and Letz: SPORE (PLDI 2024), Table 2.
#include "fifo.h"
#include "folqueue.h"
