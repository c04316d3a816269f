// LIFO(N) on Treiber's stack: SPORE (PLDI 2024), Table 2. One thread pushes 1 and 2; when it has, another pops two
// values and does not see 1 before 2.
//
// The paper shows the FIFO client only. A popper that does not wait may well see 1 before 2, so it must wait; then
// LIFO(1) has 7 executions: the noisy push comes before, between or after the two pushes, between the pops or after
// them, and in the last two cases top is what it was some time before, and the noise may have read it then.
#include "noise.h"
#include "treiber.h"

static atomic_bool pushed;

static void* pusher(void* arg) {
  self = (long)arg;
  put(1);
  put(2);
  atomic_store_explicit(&pushed, true, memory_order_release);
  return NULL;
}

static void* popper(void* arg) {
  self = (long)arg;
  unsigned first, second;
  heddle_assume(atomic_load_explicit(&pushed, memory_order_acquire));
  heddle_assume(take(&first));
  heddle_assume(take(&second));
  assert(!(first == 1 && second == 2));
  return NULL;
}

int main(void) {
  pthread_t one, two;
  init();
  pthread_create(&one, NULL, pusher, (void*)1);
  pthread_create(&two, NULL, popper, (void*)2);
  start_noise();
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  join_noise();
  return 0;
}
