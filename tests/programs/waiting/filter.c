// The filter lock: Peterson's lock for more than two threads. On each level one thread stays behind.
// $ heddle check filter.c => verified, 4 executions
// $ heddle check --model sc filter.c => verified, 4 executions
// $ heddle check --model tso filter.c => verified, 4 executions
// $ heddle check --algorithm rcmc filter.c => verified, 4 executions
// $ heddle check --algorithm await --model sc filter.c => verified, 4 executions
// $ heddle check filter.c -- -DWEAK => error race
// $ heddle check --algorithm rcmc filter.c -- -DWEAK => error race
// $ heddle check --model tso --races ignore filter.c -- -DWEAK => error assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef WEAK
#define STORE memory_order_release
#else
#define STORE memory_order_seq_cst
#endif
#ifndef N
#define N 2
#endif

static atomic_int level[N], victim[N];
static int shared;

static int somebody_as_high(int me, int l) {
  for (int k = 0; k < N; ++k) {
    if (k != me && atomic_load(&level[k]) >= l) return 1;
  }
  return 0;
}

static void lock(int me) {
  for (int l = 1; l < N; ++l) {
    atomic_store_explicit(&level[me], l, STORE);
    atomic_store_explicit(&victim[l], me, STORE);
    while (somebody_as_high(me, l) && atomic_load(&victim[l]) == me) {
    }
  }
}

static void unlock(int me) { atomic_store_explicit(&level[me], 0, memory_order_release); }

static void* worker(void* arg) {
  const int me = (int)(long)arg;
  lock(me);
  ++shared;
  unlock(me);
  return 0;
}

int main(void) {
  pthread_t t[N];
  for (long i = 0; i < N; ++i) pthread_create(&t[i], 0, worker, (void*)i);
  for (int i = 0; i < N; ++i) pthread_join(t[i], 0);
  assert(shared == N);
  return 0;
}
