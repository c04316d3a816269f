// Empty(N) on the queue of Fober, Orlarey and Letz: SPORE (PLDI 2024), Table 3.
#include "empty.h"
#include "folqueue.h"
