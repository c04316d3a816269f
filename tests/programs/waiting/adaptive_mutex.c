// An adaptive mutex: it tries a number of times, then it waits in the lock. The tries that fail are alike.
// $ heddle check adaptive_mutex.c => verified
// $ heddle check --model sc adaptive_mutex.c => verified
// $ heddle check --model tso adaptive_mutex.c => verified
// $ heddle check --algorithm rcmc adaptive_mutex.c => verified
// $ heddle check --algorithm await --model sc adaptive_mutex.c => verified
// $ heddle check adaptive_mutex.c -- -DSPINS=1000000 => verified
// $ heddle check --algorithm await --model sc adaptive_mutex.c -- -DSPINS=1000000 => verified
// Whoever has tried often enough goes in without the lock:
// $ heddle check adaptive_mutex.c -- -DHASTY => error race
// $ heddle check --model sc adaptive_mutex.c -- -DHASTY => error race
// $ heddle check --model tso adaptive_mutex.c -- -DHASTY => error race
// $ heddle check --algorithm rcmc adaptive_mutex.c -- -DHASTY => error race
// $ heddle check --algorithm await --model sc adaptive_mutex.c -- -DHASTY => error race
// $ heddle check adaptive_mutex.c -- -DHASTY -DSPINS=1000000 => error race
#include <assert.h>
#include <pthread.h>

#ifndef SPINS
#define SPINS 100
#endif
#define N 2

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int shared;

static int lock(void) {
  int left = SPINS;
  while (pthread_mutex_trylock(&mutex) != 0) {
    if (--left == 0) {
#ifdef HASTY
      return 0;
#else
      return pthread_mutex_lock(&mutex) == 0;
#endif
    }
  }
  return 1;
}

static void* worker(void* arg) {
  const int locked = lock();
  ++shared;
  if (locked) pthread_mutex_unlock(&mutex);
  return arg;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; ++i) pthread_create(&t[i], 0, worker, 0);
  for (int i = 0; i < N; ++i) pthread_join(t[i], 0);
  assert(shared == N);
  return 0;
}
