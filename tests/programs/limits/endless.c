// The time limit also ends what never comes to a visible action, or is busy in a library function.
// $ heddle check endless.c --time-limit 1 --spin-limit 1000000000000 => incomplete, "time limit"
// $ heddle check endless.c --time-limit 1 -- -DRECURSE => incomplete, "time limit"
// $ heddle check endless.c --time-limit 1 --spin-limit 1000000000000 -- -DLIBRARY => incomplete, "time limit"
// $ heddle check endless.c --time-limit 0.2 --step-limit 1000000 -- -DACT => incomplete, "time limit"
// $ heddle check endless.c --time-limit 1 --spin-limit 1000000000000 -- -DBEFORE_THREADS => incomplete, "time limit"
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;
static volatile int never;
static double sum = 1;

static unsigned long fib(unsigned long n);
static unsigned long (*volatile again)(unsigned long) = fib;
static unsigned long fib(unsigned long n) { return n < 2 ? n : again(n - 1) + again(n - 2); }

static void* run(void* argument) {
#if defined(RECURSE)
  return (void*)fib(90);
#elif defined(ACT)
  for (;;) atomic_fetch_add(&x, 1);
#elif defined(LIBRARY)
  for (;;) sum += 1 + fabs(pow(sin(sum), 2));
#else
  for (;;) never++;
#endif
  return argument;
}

int main(void) {
  pthread_t t[2];
#ifdef BEFORE_THREADS
  run(NULL);
#endif
  for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, run, NULL);
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  return 0;
}
