// A waiting loop may have gone round before, and read from a thread that has slept: then the clock shows more.
// $ heddle check round_clock.c => error assertion
// $ heddle check --model sc round_clock.c => error assertion
// $ heddle check --algorithm rcmc round_clock.c => error assertion
// $ heddle check --model sc --algorithm await round_clock.c => error assertion
// $ heddle check --model sc --algorithm rvf round_clock.c => error assertion
// It need not have.
// $ heddle check round_clock.c -- -DNEVER => error assertion
// Two reads to a round:
// $ heddle check --model sc round_clock.c -- -DTWO => error assertion
// A relaxed read tells nothing of the time.
// $ heddle check --model rc11 round_clock.c -- -DRELAXED => verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

static atomic_int stage, other;
static time_t start;
static int late;

static time_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec;
}

static void* sleeper(void* arg) {
  sleep(10);
  atomic_store(&stage, 1);
  return arg;
}

static void* relay(void* arg) {
  while (atomic_load_explicit(&stage, memory_order_relaxed) != 1) {
  }
  atomic_store_explicit(&stage, 2, memory_order_relaxed);
  return arg;
}

static void* reader(void* arg) {
#if defined(TWO)
  while (atomic_load(&stage) != 2 && atomic_load(&other) != 2) {
  }
#elif defined(RELAXED)
  while (atomic_load_explicit(&stage, memory_order_relaxed) != 2) {
  }
#else
  while (atomic_load(&stage) != 2) {
  }
#endif
  late = now() - start >= 9;
  return arg;
}

int main(void) {
  pthread_t t[3];
  start = now();
  pthread_create(&t[0], 0, sleeper, 0);
  pthread_create(&t[1], 0, relay, 0);
  pthread_create(&t[2], 0, reader, 0);
  for (int i = 0; i < 3; ++i) pthread_join(t[i], 0);
#ifdef NEVER
  assert(late);
#else
  assert(!late);
#endif
}
