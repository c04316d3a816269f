// Mutex(N) on a ticket lock with a waiting array: SPORE (PLDI 2024), Table 4.
#include "mutex.h"
#include "twalock.h"
