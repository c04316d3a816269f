// Multiset(N) on the queue of Doherty, Groves, Luchangco and Moir: SPORE (PLDI 2024), Table 1.
#include "dglmqueue.h"
#include "multiset.h"
