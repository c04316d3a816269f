// Rounds that come back to an earlier state after two or three: a cycle of states that has changed nothing is a round.
// $ heddle check period.c => verified
// $ heddle check --model sc period.c => verified
// $ heddle check --algorithm await --model sc period.c => verified
// $ heddle check period.c -- -DPERIOD=3 => verified
// $ heddle check period.c -- -DPERIOD=3 -DNEVER => error livelock
// $ heddle check period.c -- -DNEVER => error livelock
#include <pthread.h>
#include <stdatomic.h>

#ifndef PERIOD
#define PERIOD 2
#endif

static atomic_int x[PERIOD];

static void* writer(void* p) {
#ifndef NEVER
  atomic_store(&x[PERIOD - 1], 1);
#endif
  return p;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  for (int i = 0; !atomic_load(&x[i]);) i = (i + 1) % PERIOD;
  pthread_join(t, 0);
  return 0;
}
