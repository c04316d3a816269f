// A loop around a trylock waits like any other.
// $ heddle check trylock.c => verified
// $ heddle check --model sc trylock.c => verified
// A lock that is never given back:
// $ heddle check trylock.c -- -DHELD => error livelock
// $ heddle check --algorithm await --model sc trylock.c -- -DHELD => error livelock
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int shared;

static void* worker(void* arg) {
  while (pthread_mutex_trylock(&m) != 0) {
  }
  ++shared;
#ifndef HELD
  pthread_mutex_unlock(&m);
#endif
  return arg;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, worker, 0);
  pthread_create(&u, 0, worker, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert(shared == 2);
  return 0;
}
