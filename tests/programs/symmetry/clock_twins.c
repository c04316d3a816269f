// A thread's clock shows what has happened before: threads that do the same are not the same if they see other times.
// $ heddle check clock_twins.c => error assertion here
// $ heddle check --model sc clock_twins.c => error assertion here
// $ heddle check --model tso clock_twins.c => error assertion here
// $ heddle check --no-symmetry clock_twins.c => error assertion here
// $ heddle check clock_twins.c -- -DRIGHT => verified
// $ heddle check --symmetry clock_twins.c => exit 2, "--symmetry: the program reads a clock"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

static atomic_int last;
static long base;

static long now(void) {
  struct timespec s;
  clock_gettime(CLOCK_MONOTONIC, &s);
  return s.tv_sec * 1000000000l + s.tv_nsec;
}

static void* look(void* arg) {
  atomic_store(&last, now() - base < 1500000 ? 1 : 2);
  return arg;
}

int main(void) {
  pthread_t a, b;
  base = now();
  pthread_create(&a, 0, look, 0);
  now();
  now();
  pthread_create(&b, 0, look, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
#ifdef RIGHT
  assert(last == 1 || last == 2);
#else
  assert(last != 1);  // here
#endif
}
