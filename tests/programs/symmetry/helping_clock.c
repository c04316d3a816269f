// A thread that helps may see a later time than one that does not: without the help it has read nothing of the thread
// that has slept.
// $ heddle check helping_clock.c => error assertion here
// $ heddle check --model sc helping_clock.c => error assertion here
// $ heddle check --no-helping helping_clock.c => error assertion here
// $ heddle check helping_clock.c -- -DRIGHT => verified
// $ heddle check --helping helping_clock.c => exit 2, "--helping: the program reads a clock"
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

static atomic_int tail, next;
static long base;

static long now(void) {
  struct timespec s;
  clock_gettime(CLOCK_MONOTONIC, &s);
  return s.tv_sec;
}

static bool advance(void) {
  int expected = 1;
  return atomic_compare_exchange_strong_explicit(&tail, &expected, 2, memory_order_acq_rel, memory_order_acquire);
}

static void* prepare(void* arg) {
  sleep(5);
  atomic_store_explicit(&tail, 1, memory_order_release);
  return arg;
}

static void* owner(void* arg) {
  if (atomic_load_explicit(&tail, memory_order_relaxed) != 1) return arg;
  atomic_store_explicit(&next, 1, memory_order_release);
  heddle_helped(advance());
  return arg;
}

static void* helper(void* arg) {
  if (atomic_load_explicit(&next, memory_order_acquire) != 1) return arg;
  heddle_helping(advance());
#ifdef RIGHT
  assert(now() - base >= 5);
#else
  assert(now() - base < 5);  // here
#endif
  return arg;
}

int main(void) {
  pthread_t threads[3];
  base = now();
  pthread_create(&threads[0], 0, prepare, 0);
  pthread_create(&threads[1], 0, owner, 0);
  pthread_create(&threads[2], 0, helper, 0);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], 0);
  return 0;
}
