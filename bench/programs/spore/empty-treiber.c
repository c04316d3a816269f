// Empty(N) on Treiber's stack: SPORE (PLDI 2024), Table 3.
#include "empty.h"
#include "treiber.h"
