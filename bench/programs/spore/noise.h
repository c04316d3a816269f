// The noise of FIFO(N) and LIFO(N), appendix H.2: threads 3 to N + 2, of which (N + 1) / 2 put a 0 and N / 2 take
// something.
#include "container.h"

#define NOISY_PUTS ((N + 1) / 2)

static pthread_t noise[N + 3];

static void* noisy_put(void* arg) {
  self = (long)arg;
  put(0);
  return NULL;
}

static void* noisy_take(void* arg) {
  self = (long)arg;
  unsigned value;
  take(&value);
  return NULL;
}

static void start_noise(void) {
  start(noise, 3, NOISY_PUTS + 2, noisy_put);
  start(noise, NOISY_PUTS + 3, N + 2, noisy_take);
}

static void join_noise(void) {
  join(noise, 3, N + 2);
#ifdef SAME_TAKERS
  heddle_assume(empty_at[N + 2] != NULL && empty_at[N + 2] == empty_at[N + 1]);
#endif
}
