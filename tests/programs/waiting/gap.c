// Loops that give a mutex back, so that others may come in, and take it again: they wait.
// $ heddle check gap.c => verified, 2 executions, 1 blocked
// $ heddle check --model sc --algorithm await gap.c => verified, 2 executions
// $ heddle check --model sc --algorithm rvf gap.c => verified
// $ heddle check --algorithm rcmc gap.c => verified, 2 executions
// $ heddle check gap.c -- -DFORGOTTEN => error livelock, "main waits for a change of m"
// A variable that outlives the point in between: the loop is followed as others are.
// $ heddle check --unroll 3 gap.c -- -DCOUNTS => incomplete
// $ heddle check gap.c -- -DSEEN => error assertion here
// Nobody else gets a recursive mutex that is given back but once.
// $ heddle check gap.c -- -DRECURSIVE => error livelock
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>

#ifdef RECURSIVE
static pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
#else
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
#endif
static int ready, rounds;

static void* set(void* unused) {
  pthread_mutex_lock(&m);
#ifdef SEEN
  assert(rounds == 0);  // here
#endif
#ifndef FORGOTTEN
  ready = 1;
#endif
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, set, 0);
  int n = 0;
  pthread_mutex_lock(&m);
#ifdef RECURSIVE
  pthread_mutex_lock(&m);
#endif
  while (!ready) {
#ifdef SEEN
    rounds = 1;
#endif
    pthread_mutex_unlock(&m);
    sched_yield();
    pthread_mutex_lock(&m);
#ifdef COUNTS
    ++n;
#endif
  }
  pthread_mutex_unlock(&m);
#ifdef RECURSIVE
  pthread_mutex_unlock(&m);
#endif
  pthread_join(t, 0);
  assert(ready && n < 100);
}
