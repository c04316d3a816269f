// Rounds that write to shared places and take it back. They are left out, unless another thread does something else
// because of it: each variant has an error that needs such a round.
// $ heddle check taken_back.c => verified
// $ heddle check --algorithm rcmc taken_back.c => verified
// $ heddle check --algorithm await --model sc taken_back.c => verified
// $ heddle check --model tso taken_back.c => verified
// $ heddle check --model pso taken_back.c => verified
// $ heddle check --model ra taken_back.c => verified
// $ heddle check taken_back.c -- -DSEEN => error assertion here
// $ heddle check --algorithm rcmc taken_back.c -- -DSEEN => error assertion here
// $ heddle check --algorithm await --model sc taken_back.c -- -DSEEN => error assertion here
// $ heddle check --model tso taken_back.c -- -DSEEN => error assertion here
// $ heddle check --algorithm rvf --model sc taken_back.c -- -DSEEN => error assertion here
// $ heddle check taken_back.c -- -DSTORED => error assertion here
// $ heddle check --algorithm await --model sc taken_back.c -- -DSTORED => error assertion here
// $ heddle check taken_back.c -- -DADDED => error assertion here
// $ heddle check taken_back.c -- -DGAVE_UP => error assertion here
// $ heddle check --model sc taken_back.c -- -DGAVE_UP => error assertion here
// $ heddle check --algorithm await --model sc taken_back.c -- -DGAVE_UP => error assertion here
// $ heddle check taken_back.c -- -DLATER => error assertion here
// $ heddle check --algorithm rcmc taken_back.c -- -DLATER => error assertion here
// $ heddle check --model pso taken_back.c -- -DLATER => error assertion here
// $ heddle check --model tso taken_back.c -- -DLATER => verified
// $ heddle check taken_back.c -- -DLATER -DACQUIRE => verified
// $ heddle check taken_back.c -- -DCUT => error assertion here
// $ heddle check --algorithm rcmc taken_back.c -- -DCUT => error assertion here
// $ heddle check taken_back.c -- -DCOUNTED => error assertion here
// $ heddle check --algorithm await --model sc taken_back.c -- -DCOUNTED => error assertion here
// $ heddle check taken_back.c -- -DUNDER_MUTEX => error assertion here
// $ heddle check taken_back.c -- -DNEVER => error livelock
// $ heddle check --algorithm await --model sc taken_back.c -- -DNEVER => error livelock
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y, go, told, data;
static int plain, result, succeeded;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

#define RELAXED memory_order_relaxed
#define LOAD(place) atomic_load_explicit(&(place), RELAXED)
#define STORE(place, value) atomic_store_explicit(&(place), value, RELAXED)

// Announces itself, and takes it back.
static void* announces(void* p) {
#if defined GAVE_UP  // what it announces depends on another one that does so
  while (!LOAD(go)) {
    atomic_store(&x, 1);
    if (!atomic_load(&y)) {
      succeeded = 1;
      break;
    }
    atomic_store(&x, 0);
  }
#elif defined LATER
  while (!LOAD(go)) {
    STORE(x, 1);
    STORE(x, 0);
  }
#ifdef ACQUIRE
  atomic_store_explicit(&told, 1, memory_order_release);
#else
  atomic_store_explicit(&told, 1, memory_order_relaxed);
#endif
#elif defined CUT
  while (atomic_load_explicit(&x, memory_order_relaxed) != 2) {}
  while (!LOAD(go)) {
    atomic_exchange_explicit(&x, 3, memory_order_relaxed);
    atomic_store_explicit(&x, 2, memory_order_relaxed);
  }
#elif defined ADDED
  while (!LOAD(go)) {
    STORE(x, 1);
    STORE(x, 0);
  }
#elif defined COUNTED
  while (!LOAD(go)) atomic_fetch_add(&x, 1);
#elif defined UNDER_MUTEX
  while (!LOAD(go)) {
    pthread_mutex_lock(&m);
    plain = 1;
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    plain = 0;
    pthread_mutex_unlock(&m);
  }
#elif defined NEVER
  for (;;) {
    atomic_store(&x, 1);
    if (atomic_load(&y) == 1) break;
    atomic_store(&x, 0);
  }
#else
  while (!LOAD(go)) {
    atomic_store(&x, 1);
    atomic_store(&x, 0);
  }
#endif
  return p;
}

static void* looks(void* p) {
#if defined SEEN
  result = atomic_load(&x);
#elif defined STORED
  atomic_store(&x, 5);
#elif defined ADDED
  atomic_fetch_add(&x, 5);
#elif defined GAVE_UP
  if (LOAD(told) && atomic_load(&x) == 1) {
    result = 1;
    STORE(go, 1);
  }
#elif defined LATER
  if (atomic_load_explicit(&told, memory_order_acquire)) result = LOAD(x);
#elif defined CUT
  while (atomic_load_explicit(&x, memory_order_acquire) != 2) {}
  result = !LOAD(data);
#elif defined UNDER_MUTEX
  pthread_mutex_lock(&m);
  result = plain;
  pthread_mutex_unlock(&m);
#elif !defined NEVER && !defined COUNTED
  while (atomic_load(&x) != 0) {}
#endif
#ifndef LATER
  STORE(go, 1);
#endif
  return p;
}

static void* tells(void* p) {
#if defined GAVE_UP
  for (int i = 0; !LOAD(data); ++i) {
    atomic_store(&y, 1);
    atomic_store(&y, 0);
    i = 0;
  }
  STORE(told, 1);
#elif defined LATER
  STORE(go, 1);
#elif defined CUT
  STORE(data, 1);
  atomic_store_explicit(&x, 2, memory_order_release);
#endif
  return p;
}

int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], 0, announces, 0);
  pthread_create(&t[1], 0, looks, 0);
  pthread_create(&t[2], 0, tells, 0);
#ifdef GAVE_UP
  STORE(data, 1);
  pthread_join(t[2], 0);
  pthread_join(t[1], 0);
  STORE(go, 1);
  pthread_join(t[0], 0);
  assert(!result || succeeded);  // here
#else
  for (int i = 0; i < 3; ++i) pthread_join(t[i], 0);
#if defined STORED || defined ADDED
  assert(atomic_load(&x) == 5);  // here
#elif defined COUNTED
  assert(atomic_load(&x) == 0);  // here
#else
  assert(result == 0);  // here
#endif
#endif
}
