// More threads than a round of the barrier has, and more rounds than one.
// $ heddle check barrier_rounds.c => verified
// $ heddle check barrier_rounds.c --algorithm rcmc => verified
// $ heddle check barrier_rounds.c --model sc --algorithm await => verified
// $ heddle check barrier_rounds.c --model sc --algorithm rvf => verified
// $ heddle check barrier_rounds.c -- -DTHREADS=3 => error deadlock
// $ heddle check barrier_rounds.c -- -DTHREADS=2 -DROUNDS=3 => verified, 1 executions
// $ heddle check barrier_rounds.c --no-commute -- -DTHREADS=2 -DROUNDS=3 => verified, 8 executions
// $ heddle check barrier_rounds.c --model sc --algorithm await -- -DTHREADS=2 -DROUNDS=3 => verified, 1 executions
// What comes before in one thread happens before what comes after in the other.
// $ heddle check barrier_rounds.c -- -DTHREADS=2 -DROUNDS=2 -DDATA => verified, 1 executions
// $ heddle check barrier_rounds.c -- -DDATA => error race
// $ heddle check barrier_rounds.c -- -DAGAIN => error mutex, "is initialised again before it is destroyed"
// $ heddle check barrier_rounds.c -- -DAGAIN -DDESTROYED => verified
// $ heddle check barrier_rounds.c -- -DIN_USE => error mutex, "is initialised again"
// Each life of a variable begins anew.
// $ heddle check barrier_rounds.c -- -DLOCAL => verified
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#ifndef THREADS
#define THREADS 4
#endif
#ifndef ROUNDS
#define ROUNDS 1
#endif

static pthread_barrier_t b;
static int data[2];

static void* wait(void* arg) {
#ifdef DATA
  const int me = (int)(long)arg % 2;
  data[me] = 1;
#else
  (void)data;
#endif
  for (int i = 0; i < ROUNDS; ++i) pthread_barrier_wait(&b);
#ifdef DATA
  assert(data[0] && data[1]);
#endif
  return arg;
}

static void use_local(void) {
  pthread_barrier_t local;
  pthread_barrier_init(&local, 0, 1);
  pthread_barrier_wait(&local);
}

int main(void) {
#ifdef LOCAL
  use_local();
  use_local();
#else
  (void)use_local;
#endif
  pthread_barrier_init(&b, 0, 2);
#ifdef DESTROYED
  pthread_barrier_destroy(&b);
#endif
#ifdef AGAIN
  pthread_barrier_init(&b, 0, 2);
#endif
  pthread_t t[THREADS];
  for (long i = 0; i < THREADS; ++i) pthread_create(&t[i], 0, wait, (void*)i);
#ifdef IN_USE
  pthread_barrier_init(&b, 0, 2);
#endif
  for (int i = 0; i < THREADS; ++i) pthread_join(t[i], 0);
  pthread_barrier_destroy(&b);
}
