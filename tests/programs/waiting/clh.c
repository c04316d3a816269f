// The queue lock of Craig, Landin and Hagersten.
// $ heddle check clh.c => verified
// $ heddle check --model sc clh.c => verified
// $ heddle check --model tso clh.c => verified
// $ heddle check --algorithm rcmc clh.c => verified
// $ heddle check --algorithm await --model sc clh.c => verified
// $ heddle check clh.c -- -DWEAK => error race
// $ heddle check --algorithm rcmc clh.c -- -DWEAK => error race
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

static atomic_int nodes[N + 1];
static _Atomic(atomic_int*) tail = &nodes[N];
static atomic_int* before[N];
static void lock(long i) {
  atomic_store_explicit(&nodes[i], 1, memory_order_relaxed);
  before[i] = atomic_exchange_explicit(&tail, &nodes[i], memory_order_acq_rel);
  while (atomic_load_explicit(before[i], memory_order_acquire)) {
  }
}
static void unlock(long i) { atomic_store_explicit(&nodes[i], 0, RELEASE); }

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
