// Mutex(N) on a test-and-test-and-set lock: SPORE (PLDI 2024), Table 4.
#include "mutex.h"
#include "ttaslock.h"
