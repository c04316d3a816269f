// Lamport's bakery.
// $ heddle check bakery.c => verified, 9 executions, 0 blocked
// $ heddle check bakery.c -- -DN=3 => verified, 293 executions, 0 blocked
// $ heddle check --model sc bakery.c => verified, 9 executions, 0 blocked
// $ heddle check --algorithm rcmc bakery.c => verified
// $ heddle check --algorithm rcmc --count-duplicates bakery.c -- -DN=3 => verified, 293 executions
// $ heddle check --algorithm await --model sc bakery.c => verified, 9 executions, 0 blocked
// $ heddle check bakery.c -- -DWEAK => error race
// $ heddle check --algorithm rcmc bakery.c -- -DWEAK => error race
// $ heddle check --model tso --races ignore bakery.c -- -DWEAK => error assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef WEAK
#define STORE memory_order_release
#define LOAD memory_order_acquire
#else
#define STORE memory_order_seq_cst
#define LOAD memory_order_seq_cst
#endif
#ifndef N
#define N 2
#endif

static atomic_int choosing[N], number[N];
static void lock(long me) {
  atomic_store_explicit(&choosing[me], 1, STORE);
  int highest = 0;
  for (int i = 0; i < N; ++i) {
    const int n = atomic_load_explicit(&number[i], LOAD);
    if (n > highest) highest = n;
  }
  atomic_store_explicit(&number[me], highest + 1, STORE);
  atomic_store_explicit(&choosing[me], 0, STORE);
  for (int i = 0; i < N; ++i) {
    if (i == me) continue;
    while (atomic_load_explicit(&choosing[i], LOAD)) {
    }
    for (;;) {
      const int n = atomic_load_explicit(&number[i], LOAD);
      if (n == 0 || n > highest + 1 || (n == highest + 1 && i > me)) break;
    }
  }
}
static void unlock(long me) { atomic_store_explicit(&number[me], 0, memory_order_release); }

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
