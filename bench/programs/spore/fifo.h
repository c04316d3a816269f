// FIFO(N), appendix H.2: one thread puts 1 and 2, another takes two values and does not see 2 before 1.
#include "noise.h"

static void* putter(void* arg) {
  self = (long)arg;
  put(1);
  put(2);
  return NULL;
}

static void* taker(void* arg) {
  self = (long)arg;
  unsigned first, second;
  heddle_assume(take(&first));
  heddle_assume(take(&second));
  assert(!(first == 2 && second == 1));
  return NULL;
}

int main(void) {
  pthread_t one, two;
  init();
  pthread_create(&one, NULL, putter, (void*)1);
  pthread_create(&two, NULL, taker, (void*)2);
  start_noise();
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  join_noise();
  return 0;
}
