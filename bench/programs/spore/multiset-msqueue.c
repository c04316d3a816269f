// Multiset(N) on the queue of Michael and Scott: SPORE (PLDI 2024), Table 1.
#include "msqueue.h"
#include "multiset.h"
