// Mutex(N), appendix H.4: N threads go through a critical section, each M times.
#include "spore.h"

static void lock(void);
static void unlock(void);

static int shared;

static void* worker(void* arg) {
  for (int i = 0; i < M; ++i) {
    lock();
    shared = (int)(long)arg;
    assert(shared == (int)(long)arg);
    unlock();
  }
  return NULL;
}

int main(void) {
  pthread_t threads[N + 1];
  start(threads, 1, N, worker);
  join(threads, 1, N);
  return 0;
}
