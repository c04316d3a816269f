// Clocks: a round that changes nothing may tell others of the time, by the mutex that it gives back, or by an exchange.
// A sleeps and polls. Who takes the mutex after one of its polls and sleeps, too, has slept twice as long.
// $ heddle check told_time.c => error assertion
// $ heddle check --model sc told_time.c => error assertion
// $ heddle check --algorithm rcmc told_time.c => error assertion
// $ heddle check --algorithm await --model sc told_time.c => error assertion
// $ heddle check --algorithm rvf --model sc told_time.c => error assertion
// $ heddle check --no-await --no-purity told_time.c --unroll 2 => error assertion
// $ heddle check told_time.c -- -DEXCHANGE => error assertion
// $ heddle check --model sc told_time.c -- -DEXCHANGE => error assertion
// $ heddle check --no-await --no-purity told_time.c --unroll 2 -- -DEXCHANGE => error assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

static long now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec;
}
static long base;
static atomic_int x;
#ifdef EXCHANGE
static atomic_int held = 1;
#else
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
#endif

static void* a(void* p) {
  sleep(5);
#ifdef EXCHANGE
  while (atomic_exchange(&held, 1)) {
  }
#else
  for (;;) {
    pthread_mutex_lock(&m);
    const int v = atomic_load_explicit(&x, memory_order_relaxed);
    pthread_mutex_unlock(&m);
    if (v) break;
  }
#endif
  return p;
}
static void* b(void* p) {
#ifdef EXCHANGE
  (void)atomic_exchange(&held, 1);
#else
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
#endif
  sleep(5);
  assert(now() - base < 9);
  atomic_store_explicit(&x, 1, memory_order_relaxed);
#ifdef EXCHANGE
  atomic_store(&held, 0);
#endif
  return p;
}

int main(void) {
  pthread_t s, t;
  base = now();
  pthread_create(&s, 0, a, 0);
  pthread_create(&t, 0, b, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  return 0;
}
