// Threads that look the same, but that something tells apart: found symmetry must not hide the error.
// $ heddle check told_apart.c -- -DCREATES => error race
// $ heddle check told_apart.c -- -DJOINS => error race
// $ heddle check told_apart.c -- -DSTUCK => error assertion
// $ heddle check told_apart.c -- -DENDED => error assertion
// $ heddle check told_apart.c -- -DTHIRD => error assertion
// $ heddle check told_apart.c -- -DRETIRED => error memory
// $ heddle check --symmetry told_apart.c -- -DSTUCK => error symmetry, "joins"
// $ heddle check --model sc told_apart.c -- -DCREATES => error race
// $ heddle check --model tso told_apart.c -- -DJOINS => error race
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int ticket, flag;
static int y;
static int* p;

static int take(void) { return atomic_fetch_add_explicit(&ticket, 1, memory_order_relaxed); }

#if defined(CREATES)  // a third thread knows of the second create only through the second twin
static void* twin(void* arg) {
  if (take() == 1) atomic_store_explicit(&flag, 1, memory_order_release);
  return arg;
}
static void* other(void* arg) {
  if (atomic_load_explicit(&flag, memory_order_acquire)) y = 2;
  return arg;
}
#elif defined(JOINS)  // main knows of a third thread only through the first twin
static void* twin(void* arg) {
  if (take() == 0) heddle_assume(atomic_load_explicit(&flag, memory_order_acquire) == 1);
  return arg;
}
static void* other(void* arg) {
  y = 1;
  atomic_store_explicit(&flag, 1, memory_order_release);
  return arg;
}
#elif defined(STUCK) || defined(ENDED) || defined(THIRD)  // the twin that is joined first may be the one that ends
static pthread_t threads[3];
static void* twin(void* arg) {
#ifdef ENDED
  if (take() == 0) exit(0);
#else
  heddle_assume(take() != 0);
#endif
  return arg;
}
static void* other(void* arg) {
#ifdef THIRD
  pthread_join(threads[1], NULL);
  assert(0);
#endif
  return arg;
}
#elif defined(RETIRED)
static void* twin(void* arg) {
  if (take() == 1) heddle_hp_retire(p);
  return arg;
}
static void* other(void* arg) { return arg; }
#endif

int main(void) {
#if !defined(STUCK) && !defined(ENDED) && !defined(THIRD)
  pthread_t threads[3];
#endif
  p = malloc(sizeof *p);
  *p = 1;
#ifndef THIRD
  pthread_create(&threads[0], NULL, other, NULL);
#endif
  pthread_create(&threads[1], NULL, twin, NULL);
#ifdef CREATES
  y = 1;
#elif defined(RETIRED)
  (void)*(volatile int*)p;
#endif
  pthread_create(&threads[2], NULL, twin, NULL);
#ifdef THIRD
  pthread_create(&threads[0], NULL, other, NULL);
  pthread_join(threads[0], NULL);
#else
  pthread_join(threads[1], NULL);
#endif
#ifdef JOINS
  y = 2;
#elif defined(STUCK) || defined(ENDED)
  assert(0);
#endif
  pthread_join(threads[2], NULL);
  return 0;
}
