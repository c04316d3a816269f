// Empty(N), appendix H.3: N threads put a value and then take one, so nobody finds nothing.
#include "container.h"

static void* worker(void* arg) {
  self = (long)arg;
  unsigned value;
  put(1);
  const bool found = take(&value);
  assert(found);
  return NULL;
}

int main(void) {
  pthread_t threads[N + 1];
  init();
  start(threads, 1, N, worker);
  join(threads, 1, N);
  return 0;
}
