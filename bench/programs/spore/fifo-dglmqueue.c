// FIFO(N) on the queue of Doherty, Groves, Luchangco and Moir: SPORE (PLDI 2024), Table 2.
#include "dglmqueue.h"
#include "fifo.h"
