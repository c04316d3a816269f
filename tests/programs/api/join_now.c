// Joins that do not wait for ever: pthread_tryjoin_np, pthread_timedjoin_np, pthread_clockjoin_np. Whether the other
// thread has ended by then is open.
// $ heddle check join_now.c -- -DTRY => verified, 2 executions
// $ heddle check --algorithm await --model sc join_now.c -- -DTRY => verified, 2 executions
// $ heddle check --algorithm rvf --model sc join_now.c -- -DTRY => verified
// $ heddle check join_now.c -- -DTRY -DSURE => error assertion here
// $ heddle check join_now.c -- -DTIMED => verified, 2 executions
// $ heddle check --no-timeouts join_now.c -- -DTIMED -DSURE => verified, 1 executions
// $ heddle check join_now.c -- -DCLOCK => verified, 2 executions
// It need not end at all; without the limit that is a deadlock.
// $ heddle check join_now.c -- -DTIMED -DSTUCK => verified
// $ heddle check --algorithm await --model sc join_now.c -- -DTIMED -DSTUCK => verified
// $ heddle check --algorithm rvf --model sc join_now.c -- -DTIMED -DSTUCK => verified
// $ heddle check --no-timeouts join_now.c -- -DTIMED -DSTUCK => error deadlock
// A loop that asks again and again waits.
// $ heddle check join_now.c -- -DTRY -DLOOP => verified, 2 executions
// It is joined all the same, and may not be once more.
// $ heddle check join_now.c -- -DTRY -DTWICE => error thread
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stddef.h>
#include <stdlib.h>
#include <time.h>

static int done;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* other(void* arg) {
#ifdef STUCK
  pthread_mutex_lock(&mutex);
#endif
  done = 1;
  return arg;
}

static int join(pthread_t thread, void** result) {
#ifdef TRY
  return pthread_tryjoin_np(thread, result);
#else
  struct timespec until;
  clock_gettime(CLOCK_MONOTONIC, &until);
  ++until.tv_sec;
#ifdef CLOCK
  return pthread_clockjoin_np(thread, result, CLOCK_MONOTONIC, &until);
#else
  return pthread_timedjoin_np(thread, result, &until);
#endif
#endif
}

int main(void) {
#ifdef STUCK
  pthread_mutex_lock(&mutex);
#endif
  pthread_t thread;
  pthread_create(&thread, NULL, other, &done);
  void* result = NULL;
  int status = join(thread, &result);
#ifdef LOOP
  while (status == EBUSY) {
    sched_yield();
    status = join(thread, &result);
  }
#endif
#ifdef SURE
  assert(status == 0);  // here
#endif
#ifdef TRY
  assert(status == 0 || status == EBUSY);
#else
  assert(status == 0 || status == ETIMEDOUT);
#endif
#ifdef STUCK
  quick_exit(0);
#endif
#ifdef TWICE
  pthread_join(thread, NULL);
#else
  if (status != 0) pthread_join(thread, &result);
#endif
  assert(done == 1 && result == &done);
}
