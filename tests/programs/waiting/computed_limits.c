// The same in C: pthread_cond_timedwait and its like take an instant, which each round computes.
// $ heddle check computed_limits.c => verified
// $ heddle check --algorithm rcmc computed_limits.c => verified
// $ heddle check --model sc --algorithm await computed_limits.c => verified
// $ heddle check --model sc --algorithm rvf computed_limits.c => verified
// $ heddle check computed_limits.c -- -DSILENT => verified
// $ heddle check --no-timeouts computed_limits.c -- -DSILENT => error deadlock
// $ heddle check computed_limits.c -- -DNEVER => error livelock
// $ heddle check computed_limits.c -- -DEARLY => error assertion here
// $ heddle check computed_limits.c -- -DLOCK => verified
// $ heddle check computed_limits.c -- -DLOCK -DEARLY => error race
// $ heddle check computed_limits.c -- -DSEMAPHORE => verified
// $ heddle check computed_limits.c -- -DSEMAPHORE -DEARLY => error race
// $ heddle check computed_limits.c -- -DC11 => verified
// $ heddle check computed_limits.c -- -DC11 -DNEVER => error livelock
// $ heddle check computed_limits.c -- -DGIVE_UP => error assertion too late
// $ heddle check computed_limits.c -- -DBEFORE => verified
// $ heddle check computed_limits.c -- -DNO_CARRY => error assertion status
// $ heddle check computed_limits.c -- -DSTARTED => error assertion elapsed
// $ heddle check computed_limits.c -- -DOF_MAIN => error assertion elapsed
// $ heddle check computed_limits.c -- -DSLEEPS => error assertion elapsed
// $ heddle check computed_limits.c -- -DTWICE => error assertion twice
// $ heddle check computed_limits.c -- -DSTRICT => error assertion strict
// $ heddle check computed_limits.c -- -DIN_MEMORY => error assertion in memory
// $ heddle check computed_limits.c -- -DPOINTER => error assertion elapsed
// $ heddle check computed_limits.c -- -DUNSET => error memory unset
// $ heddle check computed_limits.c -- -DANSWERS => verified
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/time.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, held = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
mtx_t mutex;
cnd_t condition;
sem_t given;
bool ready;
int data, is_strict = 1;
atomic_int flag;
time_t now;

static struct timespec in_ms(long ms) {
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  t.tv_nsec += ms * 1000000;
  if (t.tv_nsec >= 1000000000) {
    t.tv_nsec -= 1000000000;
    t.tv_sec++;
  }
  return t;
}

void* wait(void* argument) {
#if defined LOCK
  for (;;) {
    struct timespec t = in_ms(5);
    if (pthread_mutex_timedlock(&held, &t) == 0) break;
  }
  data++;
  pthread_mutex_unlock(&held);
#elif defined SEMAPHORE
  for (;;) {
    struct timespec t = in_ms(5);
    if (sem_timedwait(&given, &t) == 0) break;
    assert(errno == ETIMEDOUT);
  }
  assert(data == 1);
#elif defined POINTER
  time_t start, end;
  time(&start);
  while (!atomic_load(&flag)) sleep(1);
  time(&end);
  assert(end < start + 3);  // elapsed
#elif defined UNSET
  for (;;) {
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    long rest;
    if (t.tv_sec < 1700000002) rest = 0;
    struct timespec until = {t.tv_sec + 1, rest};  // unset
    if (pthread_mutex_timedlock(&held, &until) == 0) break;
  }
  pthread_mutex_unlock(&held);
#elif defined SLEEPS
  const time_t start = time(0);
  while (!atomic_load(&flag)) sleep(1);
  assert(time(0) < start + 3);  // elapsed
#elif defined NO_CARRY  // the second limit has too many nanoseconds
  for (;;) {
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    t.tv_nsec += 600000000;
    const int status = pthread_mutex_timedlock(&held, &t);
    if (status == 0) break;
    assert(status == ETIMEDOUT);  // status
  }
  pthread_mutex_unlock(&held);
#elif defined TWICE  // the second time the limit is over
  const struct timespec end = in_ms(1000);
  for (;;) {
    struct timespec before, after;
    clock_gettime(CLOCK_REALTIME, &before);
    if (pthread_mutex_timedlock(&held, &end) == 0) break;
    clock_gettime(CLOCK_REALTIME, &after);
    assert(after.tv_sec > before.tv_sec);  // twice
  }
  pthread_mutex_unlock(&held);
#elif defined IN_MEMORY
  for (time_t first = 0;;) {
    struct timespec t = {time(&now) + 1, 0};
    if (first == 0) first = now;
    assert(now < first + 3);  // in memory
    if (pthread_mutex_timedlock(&held, &t) == 0) break;
  }
  pthread_mutex_unlock(&held);
#elif defined STRICT
  const int strict = is_strict;
  for (;;) {
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    if (t.tv_sec >= 1700000002) assert(!strict);  // strict
    t.tv_sec++;
    if (pthread_mutex_timedlock(&held, &t) == 0) break;
  }
  pthread_mutex_unlock(&held);
#elif defined C11
  mtx_lock(&mutex);
  while (!ready) {
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    t.tv_sec += 1;
    cnd_timedwait(&condition, &mutex, &t);
  }
  mtx_unlock(&mutex);
#else
  pthread_mutex_lock(&m);
#if defined STARTED || defined BEFORE
  struct timespec t;
#endif
#ifdef STARTED
  struct timespec start;
  clock_gettime(CLOCK_REALTIME, &start);
#endif
#ifdef GIVE_UP
  const struct timespec end = in_ms(30);
  while (!ready) {
    if (pthread_cond_timedwait(&changed, &m, &end) == ETIMEDOUT) break;
  }
  assert(ready);  // too late
#else
  while (!ready) {
#if !defined STARTED && !defined BEFORE
    struct timespec t;
#endif
    clock_gettime(CLOCK_REALTIME, &t);
    t.tv_sec += 1;
    const int status = pthread_cond_timedwait(&changed, &m, &t);
    assert(status == 0 || status == ETIMEDOUT);
  }
#endif
#ifdef STARTED
  clock_gettime(CLOCK_REALTIME, &t);
  assert(t.tv_sec < start.tv_sec + 3);  // elapsed
#endif
  assert(data == 1);  // here
  pthread_mutex_unlock(&m);
#endif
  return argument;
}

static void answers(void) {
  struct timespec t = {0, -1}, a, b;
  struct timeval v;
  errno = 0;
  assert(clock_gettime(1234, &a) == -1 && errno == EINVAL);
  assert(clock_gettime(CLOCK_MONOTONIC, &a) == 0 && clock_gettime(CLOCK_MONOTONIC, &b) == 0);
  assert(a.tv_sec < b.tv_sec || (a.tv_sec == b.tv_sec && a.tv_nsec < b.tv_nsec));
  assert(timespec_get(&a, TIME_UTC) == TIME_UTC && timespec_get(&a, 99) == 0);
  assert(gettimeofday(&v, 0) == 0 && v.tv_sec >= a.tv_sec && v.tv_usec < 1000000);
  pthread_mutex_lock(&m);
  assert(pthread_cond_timedwait(&changed, &m, &t) == EINVAL);
  assert(pthread_cond_clockwait(&changed, &m, 1234, &a) == EINVAL);
  t = in_ms(50);
  assert(pthread_cond_timedwait(&changed, &m, &t) == ETIMEDOUT);
  clock_gettime(CLOCK_REALTIME, &b);
  assert(b.tv_sec > t.tv_sec || (b.tv_sec == t.tv_sec && b.tv_nsec >= t.tv_nsec));
  assert(pthread_mutex_timedlock(&held, &t) == 0);
  assert(pthread_mutex_timedlock(&held, &t) == ETIMEDOUT);
  t.tv_nsec = -1;
  assert(pthread_mutex_timedlock(&held, &t) == EINVAL);
  pthread_mutex_unlock(&held);
  pthread_mutex_unlock(&m);
  sem_init(&given, 0, 0);
  errno = 0;
  assert(sem_timedwait(&given, &t) == -1 && errno == EINVAL);
  sem_post(&given);
  assert(sem_timedwait(&given, &t) == 0);
}

int main(void) {
#ifdef ANSWERS
  answers();
  return 0;
#endif
  mtx_init(&mutex, mtx_plain);
  cnd_init(&condition);
  sem_init(&given, 0, 0);
#ifdef OF_MAIN
  const time_t start = time(0);
#endif
  pthread_t t;
  pthread_create(&t, 0, wait, 0);
#if defined SLEEPS || defined POINTER
  atomic_store(&flag, 1);
#elif defined NO_CARRY || defined TWICE || defined STRICT || defined IN_MEMORY || defined UNSET
  pthread_mutex_lock(&held);
  pthread_mutex_unlock(&held);
#elif defined LOCK
#ifndef EARLY
  pthread_mutex_lock(&held);
#endif
  data++;
#ifndef EARLY
  pthread_mutex_unlock(&held);
#endif
#elif defined SEMAPHORE
#ifdef EARLY
  sem_post(&given);
  data = 1;
#else
  data = 1;
  sem_post(&given);
#endif
#elif defined C11
  mtx_lock(&mutex);
#ifndef NEVER
  ready = true;
#endif
  mtx_unlock(&mutex);
  cnd_signal(&condition);
#else
  pthread_mutex_lock(&m);
#ifndef NEVER
  ready = true;
#endif
#ifndef EARLY
  data = 1;
#endif
  pthread_mutex_unlock(&m);
#ifndef SILENT
  pthread_cond_signal(&changed);
#endif
#endif
  pthread_join(t, 0);
#ifdef OF_MAIN
  assert(time(0) < start + 3);  // elapsed
#endif
  return 0;
}
