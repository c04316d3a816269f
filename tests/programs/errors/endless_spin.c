// A loop of visible actions that nobody ends.
// $ heddle check endless_spin.c => error livelock, "T1 (wait) waits for a change of x"
// $ heddle check --no-await endless_spin.c => error livelock, "T1 (wait) waits for a change of x"
// $ heddle check --no-purity --no-await endless_spin.c => incomplete, "too many visible actions"
// $ heddle check --no-purity --no-await --unroll 3 endless_spin.c => incomplete, "--unroll"
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void* wait(void* arg) {
  while (!atomic_load(&x)) {
  }
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, wait, NULL);
  pthread_join(t, NULL);
  return 0;
}
