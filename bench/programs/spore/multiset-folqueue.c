// Multiset(N) on the queue of Fober, Orlarey and Letz: SPORE (PLDI 2024), Table 1.
#include "folqueue.h"
#include "multiset.h"
