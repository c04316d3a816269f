// The time limit also ends what never comes to a visible action.
// $ heddle check endless.c --time-limit 1.5 --spin-limit 1000000000000 => incomplete, "time limit"
// $ heddle check endless.c --time-limit 1.5 -- -DRECURSE => incomplete, "time limit"
// $ heddle check endless.c --time-limit 1.5 -- -DCOMPUTE --spin-limit=1000000000000 => incomplete, "time limit"
// $ heddle check endless.c --time-limit 1.5 --step-limit 1000000000 -- -DACT => incomplete, "time limit"
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;
volatile int never;
double sum;

__attribute__((noinline)) static unsigned long fib(unsigned long n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

static void* run(void* argument) {
#if defined(RECURSE)
  return (void*)fib(90);
#elif defined(ACT)
  for (;;) atomic_load(&x);
#else
  for (;;) never++;
#endif
  return argument;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, run, NULL);
  pthread_join(t, NULL);
  return 0;
}
