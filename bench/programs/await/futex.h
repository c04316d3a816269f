// A futex beside a state, modelled by a counter of wake-ups: who waits goes on when it has changed. Nobody looks at
// what the counter was when it is changed, so that the fetch-and-adds commute.
#include <stdatomic.h>
#include <stdbool.h>

static atomic_int state;
static atomic_int wakeups;

static bool replace(int old, int new) { return atomic_compare_exchange_strong(&state, &old, new); }

// Waits for a wake-up, unless the state is no longer this.
static void futex_wait(int expected) {
  const int seen = atomic_load(&wakeups);
  if (atomic_load(&state) != expected) return;
  while (atomic_load(&wakeups) == seen) {
  }
}

static void futex_wake(void) { atomic_fetch_add(&wakeups, 1); }
