// Empty(N) on the queue of Michael and Scott: SPORE (PLDI 2024), Table 3.
#include "empty.h"
#include "msqueue.h"
