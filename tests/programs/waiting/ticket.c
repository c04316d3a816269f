// A ticket lock.
// $ heddle check ticket.c => verified
// $ heddle check --model sc ticket.c => verified
// $ heddle check --model tso ticket.c => verified
// $ heddle check --algorithm rcmc ticket.c => verified
// $ heddle check --algorithm await --model sc ticket.c => verified
// $ heddle check ticket.c -- -DWEAK => error race
// $ heddle check --algorithm rcmc ticket.c -- -DWEAK => error race
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef WEAK
#define RELEASE memory_order_relaxed
#else
#define RELEASE memory_order_release
#endif
#ifndef N
#define N 3
#endif

static atomic_uint next, serving;
static void lock(long me) {
  (void)me;
  const unsigned mine = atomic_fetch_add_explicit(&next, 1, memory_order_relaxed);
  while (atomic_load_explicit(&serving, memory_order_acquire) != mine) {
  }
}
static void unlock(long me) {
  (void)me;
  atomic_store_explicit(&serving, atomic_load_explicit(&serving, memory_order_relaxed) + 1, RELEASE);
}

static int shared;

static void* worker(void* arg) {
  lock((long)arg);
  int before = shared;
  shared = before + 1;
  unlock((long)arg);
  return 0;
}

int main(void) {
  pthread_t t[N];
  for (long i = 0; i < N; ++i) pthread_create(&t[i], 0, worker, (void*)i);
  for (int i = 0; i < N; ++i) pthread_join(t[i], 0);
  assert(shared == N);
  return 0;
}
