// Arrivals at a barrier commute, as long as no more threads can arrive in a phase than it has places.
// $ heddle check arrivals.c --no-symmetry => verified, 1 executions, 0 blocked
// $ heddle check arrivals.c --no-symmetry -- -DN=5 => verified, 1 executions
// $ heddle check arrivals.c -- -DN=4 => verified, 1 executions
// $ heddle check arrivals.c --no-symmetry --self-check --model sc => verified, 1 executions
// $ heddle check arrivals.c --no-symmetry --self-check --model tso => verified, 1 executions
// $ heddle check arrivals.c --no-symmetry --self-check --model pso => verified, 1 executions
// $ heddle check arrivals.c --no-symmetry --self-check --model ra => verified, 1 executions
// $ heddle check arrivals.c --algorithm rcmc --self-check => verified, 1 executions
// $ heddle check arrivals.c --algorithm rcmc --model wrc11 => verified, 1 executions
// $ heddle check arrivals.c --algorithm await --model sc --self-check => verified, 1 executions
// $ heddle check arrivals.c --races ignore --no-symmetry => verified
// Each order of arrivals is another execution: 3! in each of two phases. rvf tells them apart anyhow.
// $ heddle check arrivals.c --no-symmetry --no-commute => verified, 36 executions
// $ heddle check arrivals.c --algorithm rcmc --no-commute => verified
// $ heddle check arrivals.c --algorithm await --model sc --no-commute => verified, 36 executions
// $ heddle check arrivals.c --algorithm rvf --model sc => verified
// $ heddle check arrivals.c --algorithm rvf --model sc --no-commute => exit 2, "it is for the others"
// One execution for each thread that may be the serial one, in each phase.
// $ heddle check arrivals.c --no-symmetry -- -DSERIAL => verified, 9 executions, 0 blocked
// $ heddle check arrivals.c --no-symmetry --model tso -- -DSERIAL => verified, 9 executions
// $ heddle check arrivals.c --algorithm await --model sc -- -DSERIAL => verified, 9 executions
// $ heddle check arrivals.c --no-symmetry -- -DSERIAL -DFIRST => error assertion
// Too few.
// $ heddle check arrivals.c -- -DPLACES=N+1 => error deadlock, "waits for barrier"
// $ heddle check arrivals.c --algorithm rcmc -- -DPLACES=N+1 => error deadlock, "waits for barrier"
// $ heddle check arrivals.c --algorithm await --model sc -- -DPLACES=N+1 => error deadlock, "waits for barrier"
// $ heddle check arrivals.c --format json -- -DPLACES=N+1 => error deadlock
// Too many: which of them go together makes a difference, and each order is explored.
// $ heddle check arrivals.c -- -DPLACES=2 -DPHASES=1 => error race
// $ heddle check --verbose arrivals.c -- -DN=4 -DPLACES=2 -DPHASES=1 -DALONE => verified, "the order of arrivals makes a difference"
// $ heddle check arrivals.c --algorithm rcmc -- -DN=4 -DPLACES=2 -DPHASES=1 -DALONE => verified
// $ heddle check arrivals.c --algorithm await --model sc -- -DN=4 -DPLACES=2 -DPHASES=1 -DALONE => verified
// $ heddle check arrivals.c -- -DPLACES=2 -DPHASES=1 -DALONE => error deadlock
// What is not ordered by the barrier races.
// $ heddle check arrivals.c -- -DRACE => error race
// $ heddle check arrivals.c --algorithm rcmc -- -DRACE => error race
// $ heddle check arrivals.c --algorithm await --model sc -- -DRACE => error race
// Destroyed while others may arrive.
// $ heddle check arrivals.c -- -DEARLY => error race
// $ heddle check arrivals.c --jobs 2 --no-symmetry -- -DSERIAL => verified, 9 executions
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 3
#endif
#ifndef PLACES
#define PLACES N
#endif
#ifndef PHASES
#define PHASES 2
#endif

static pthread_barrier_t barrier;
static int mine[N], sum[N], serial[PHASES];

static void arrive(int me, int phase) {
  (void)me, (void)phase;
#ifdef SERIAL
  if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) {
    ++serial[phase];
#ifdef FIRST
    assert(me == 0);
#endif
  }
#else
  pthread_barrier_wait(&barrier);
#endif
}

static void* work(void* p) {
  int me = (int)(long)p;
  (void)mine, (void)sum;
#ifndef ALONE
  mine[me] = me + 1;
#endif
  arrive(me, 0);
#ifndef ALONE
  for (int i = 0; i < N; ++i) sum[me] += mine[i];
#endif
#if PHASES > 1
#ifdef RACE
  mine[(me + 1) % N] = 0;
#endif
  arrive(me, 1);
  assert(sum[(me + 1) % N] == N * (N + 1) / 2);
#endif
  return 0;
}

int main(void) {
  pthread_t t[N];
  pthread_barrier_init(&barrier, 0, PLACES);
  for (long i = 0; i < N; ++i) pthread_create(&t[i], 0, work, (void*)i);
#ifdef EARLY
  pthread_barrier_destroy(&barrier);
#endif
  for (int i = 0; i < N; ++i) pthread_join(t[i], 0);
  for (int i = 0; i < PHASES; ++i) {
#ifdef SERIAL
    assert(serial[i] == 1);
#endif
  }
#ifndef EARLY
  pthread_barrier_destroy(&barrier);
#endif
}
