// A loop that tests what it has read at the end of the round before, or before the loop. It waits at once, unless what
// was read first is used for something else, or something is done on the way.
// $ heddle check carried.c => verified, 1 executions, 0 blocked
// $ heddle check --model tso carried.c => verified, 1 executions, 0 blocked
// $ heddle check --algorithm rcmc carried.c => verified, 1 executions
// $ heddle check --algorithm await --model sc carried.c => verified, 1 executions
// $ heddle check --no-await --no-purity --unroll 8 carried.c => incomplete
// $ heddle check carried.c -- -DBOOL => verified, 1 executions, 0 blocked
// $ heddle check carried.c -- -DSUM => verified, 1 executions, 0 blocked
// $ heddle check carried.c -- -DFIRST => error assertion here
// $ heddle check carried.c -- -DDERIVED => error assertion here
// $ heddle check carried.c -- -DKEPT => error assertion here
// $ heddle check carried.c -- -DTOLD => error assertion here
// $ heddle check carried.c -- -DSTRONG => error assertion here
// $ heddle check carried.c -- -DNEVER => error livelock
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#ifndef N
#define N 4
#endif

static atomic_int x = N, told, data;

static void* writer(void* p) {
#if defined STRONG
  atomic_store_explicit(&data, 1, memory_order_relaxed);
  atomic_store_explicit(&x, 1, memory_order_release);
  atomic_store_explicit(&x, 0, memory_order_relaxed);
#else
  for (int i = N - 1; i >= 0; --i) atomic_store(&x, i);
#endif
#ifdef NEVER
  atomic_store(&x, 1);
#endif
  return p;
}

static void* reader(void* p) {
#if defined BOOL
  bool is = atomic_load(&x) != 0;
  while (is) is = atomic_load(&x) != 0;
#elif defined SUM
  int a = atomic_load(&x) + 3;
  while (a != 3) a = atomic_load(&x) + 3;
#elif defined FIRST
  int a = atomic_load(&x);
  const int first = a;
  while (a != 0) a = atomic_load(&x);
  assert(first == 0);  // here
#elif defined DERIVED
  int a = atomic_load(&x);
  int b = a * 2;
  while (a != 0) {
    a = atomic_load(&x);
    b |= 0;
  }
  assert(b == 0);  // here
#elif defined KEPT
  int a = atomic_load(&x);
  int last = 0;
  while (a != 0) {
    last = a;
    a = atomic_load(&x);
  }
  assert(last == 0);  // here
#elif defined TOLD
  int a = atomic_load(&x);
  while (a != 0) {
    atomic_store(&told, 1);
    a = atomic_load(&x);
  }
  assert(atomic_load(&told) == 0);  // here
#elif defined STRONG  // the look learns more than the loads of the rounds
  int a = atomic_load_explicit(&x, memory_order_acquire);
  while (a != 0) a = atomic_load_explicit(&x, memory_order_relaxed);
  assert(atomic_load_explicit(&data, memory_order_relaxed) == 0);  // here
#else
  int a = atomic_load(&x);
  while (a != 0) a = atomic_load(&x);
#endif
  return p;
}

int main(void) {
  pthread_t w, r;
  pthread_create(&w, 0, writer, 0);
  pthread_create(&r, 0, reader, 0);
  pthread_join(w, 0);
  pthread_join(r, 0);
}
