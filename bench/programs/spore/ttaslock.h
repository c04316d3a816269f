// Test-and-test-and-set lock (Herlihy and Shavit, section 7.2): wait until the lock looks free, then try to take it.
//
// With one round, the k-th thread to enter sees the lock free since any of the k - 1 exits before, or since the start:
// N! orders of entering times N! such choices.
#include "spore.h"

static atomic_bool taken;

static void lock(void) {
  heddle_assume(!atomic_load_explicit(&taken, memory_order_relaxed));
  heddle_assume(!atomic_exchange_explicit(&taken, true, memory_order_acquire));
}

static void unlock(void) { atomic_store_explicit(&taken, false, memory_order_release); }
