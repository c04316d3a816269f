// Loops that poll: a flag under a mutex, through a pointer to a function, with a variable of the round's own that lives in
// memory; one that takes a mutex on the way, which is a change.
// $ heddle check polling.c => verified, 1 executions
// $ heddle check --model sc polling.c => verified, 1 executions
// $ heddle check --algorithm rcmc polling.c => verified
// $ heddle check --algorithm rcmc --model wrc11 polling.c => verified
// $ heddle check --algorithm await --model sc polling.c => verified
// $ heddle check polling.c -- -DNEVER => error livelock
// $ heddle check --algorithm rcmc polling.c -- -DNEVER => error livelock
// $ heddle check --algorithm rcmc --model wrc11 polling.c -- -DNEVER => error livelock
// $ heddle check --algorithm await --model sc polling.c -- -DNEVER => error livelock
// $ heddle check polling.c -- -DPOINTER => verified
// $ heddle check --algorithm await --model sc polling.c -- -DPOINTER => verified
// $ heddle check polling.c -- -DPOINTER -DNEVER => error livelock
// $ heddle check polling.c -- -DSLEEP => verified
// $ heddle check polling.c -- -DSLEEP -DNEVER => error livelock
// $ heddle check polling.c -- -DTRYLOCK => error assertion
// $ heddle check --model sc polling.c -- -DTRYLOCK => error assertion
// $ heddle check --algorithm rcmc polling.c -- -DTRYLOCK => error assertion
// $ heddle check --algorithm await --model sc polling.c -- -DTRYLOCK => error assertion
// $ heddle check polling.c -- -DBETWEEN => verified
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <time.h>

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t other = PTHREAD_MUTEX_INITIALIZER;
static int ready;
static atomic_int flag;

static int is_ready(void) { return atomic_load(&flag); }
static int (*volatile look)(void) = is_ready;

static void* poll(void* arg) {
#if defined(POINTER)
  int (*f)(void) = look;
  while (!f()) {
  }
#elif defined(SLEEP)
  while (!atomic_load(&flag)) {
    struct timespec t = {0, 1000};
    nanosleep(&t, 0);
  }
#elif defined(TRYLOCK)
  while (!atomic_load(&flag)) pthread_mutex_trylock(&other);
#elif defined(BETWEEN)
  pthread_mutex_lock(&guard);
  while (!ready) {
    pthread_mutex_unlock(&guard);
    sched_yield();
    pthread_mutex_lock(&guard);
  }
  pthread_mutex_unlock(&guard);
#else
  for (;;) {
    pthread_mutex_lock(&guard);
    const int is = ready;
    pthread_mutex_unlock(&guard);
    if (is) break;
  }
#endif
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, poll, 0);
  pthread_create(&b, 0, poll, 0);
#ifndef NEVER
  pthread_mutex_lock(&guard);
  ready = 1;
  pthread_mutex_unlock(&guard);
  atomic_store(&flag, 1);
#endif
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(pthread_mutex_trylock(&other) == 0);
  return 0;
}
