// Empty(N) on the queue of Doherty, Groves, Luchangco and Moir: SPORE (PLDI 2024), Table 3.
#include "dglmqueue.h"
#include "empty.h"
