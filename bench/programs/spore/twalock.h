// Ticket lock with a waiting array (Dice and Kogan, TWA, Euro-Par 2019, Listing 1): a thread that is not next in line
// waits for a change of its element of the array, and only the next in line looks at grant all the time. Here every
// ticket has an element of its own.
//
// With one round, the thread with ticket k first reads grant g: k or k - 1 decide the rest; g < k - 1 leaves 4 ways
// where it next finds out that it is first in line, and two for each grant g, ..., k - 2 where it does not. Together k
// * k + 3 * k - 2 ways (1 for k = 0): 1 * 2 * 8 * 16 * 26 * ... times N! orders of tickets.
#include "spore.h"

#define LONG_TERM_THRESHOLD 1

static atomic_uint ticket, grant, waiting[N * M + 1 + LONG_TERM_THRESHOLD];

static unsigned look(atomic_uint* object) { return atomic_load_explicit(object, memory_order_acquire); }

static void lock(void) {
  const unsigned mine = atomic_fetch_add_explicit(&ticket, 1, memory_order_acq_rel);
  const unsigned distance = mine - look(&grant);
  if (distance == 0) return;
  if (distance > LONG_TERM_THRESHOLD) {
    for (;;) {
      const unsigned before = look(&waiting[mine]);
      if (mine - look(&grant) <= LONG_TERM_THRESHOLD) break;
      heddle_assume(look(&waiting[mine]) != before);
    }
  }
  heddle_assume(look(&grant) == mine);
}

static void unlock(void) {
  const unsigned next = atomic_load_explicit(&grant, memory_order_relaxed) + 1;
  atomic_store_explicit(&grant, next, memory_order_release);
  atomic_fetch_add_explicit(&waiting[next + LONG_TERM_THRESHOLD], 1, memory_order_acq_rel);
}
