// Which write a thread reads from tells its clock what has happened before, although all write the same.
// $ heddle check clock_source.c => error assertion here
// $ heddle check --model sc --algorithm rvf clock_source.c => error assertion here
// $ heddle check --model sc --algorithm rvf --races ignore clock_source.c => error assertion here
// $ heddle check --model sc --algorithm await clock_source.c => error assertion here
// $ heddle check --model sc --algorithm await clock_source.c -- -DADDS => error assertion here
// $ heddle check --model sc --algorithm await --no-commute clock_source.c -- -DADDS => error assertion here
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

static atomic_int x, late;
static time_t base;

static time_t now(void) {
  struct timespec s;
  clock_gettime(CLOCK_MONOTONIC, &s);
  return s.tv_sec;
}

#ifdef ADDS
#define WRITE() atomic_fetch_or(&x, 1)
#else
#define WRITE() atomic_store(&x, 1)
#endif

static void* sleep_and_write(void* arg) {
  sleep(5);
  WRITE();
  return arg;
}
static void* write_too(void* arg) {
  WRITE();
  return arg;
}
static void* look(void* arg) {
  if (atomic_load(&x) == 1) late = now() - base >= 4;
  return arg;
}

int main(void) {
  pthread_t t[3];
  base = now();
  pthread_create(&t[0], 0, sleep_and_write, 0);
  pthread_create(&t[1], 0, write_too, 0);
  pthread_create(&t[2], 0, look, 0);
  for (int i = 0; i < 3; ++i) pthread_join(t[i], 0);
  assert(!late);  // here
}
