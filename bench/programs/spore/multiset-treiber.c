// Multiset(N) on Treiber's stack: SPORE (PLDI 2024), Table 1.
#include "multiset.h"
#include "treiber.h"
