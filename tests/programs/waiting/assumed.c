// Assumptions on what was just read wait in the read, as loops do.
//
// An assumption is no loop, though: whoever never gets what it assumes is stopped, which is no error, and neither is it
// to wait for its end.
// $ heddle check assumed.c -- -DLOAD => verified, 1 executions, 0 blocked
// $ heddle check --no-await assumed.c -- -DLOAD => verified, 1 executions, 2 blocked
// $ heddle check --algorithm rcmc assumed.c -- -DLOAD => verified, 1 executions, 2 blocked
// $ heddle check --algorithm await --model sc assumed.c -- -DLOAD => verified, 1 executions, 0 blocked
// $ heddle check assumed.c -- -DLOAD -DNEVER => incomplete, 0 executions, 1 blocked
// $ heddle check --algorithm rcmc assumed.c -- -DLOAD -DNEVER => incomplete, 0 executions, 2 blocked
// $ heddle check --algorithm await --model sc assumed.c -- -DLOAD -DNEVER => incomplete, 0 executions, 1 blocked
//
// __VERIFIER_assume takes a number; a condition may be joined of several, or be an assumption of 0 behind a branch.
// $ heddle check assumed.c -- -DNUMBER => verified, 1 executions, 0 blocked
// $ heddle check assumed.c -- -DJOINED => verified, 1 executions, 0 blocked
// $ heddle check assumed.c -- -DBRANCH => verified, 1 executions, 0 blocked
// $ heddle check --no-await assumed.c -- -DBRANCH => verified, 1 executions, 2 blocked
//
// Three threads take a lock in any order: by an exchange, or by a compare-exchange.
// $ heddle check --no-symmetry assumed.c -- -DEXCHANGE => verified, 6 executions, 0 blocked
// $ heddle check --no-symmetry assumed.c -- -DCAS => verified, 6 executions, 0 blocked
// $ heddle check --no-symmetry --algorithm await --model sc assumed.c -- -DCAS => verified, 6 executions, 0 blocked
// $ heddle check --no-symmetry --algorithm rcmc assumed.c -- -DEXCHANGE => verified, 6 executions
//
// A read-modify-write that changes something does so whatever is assumed of it later.
// $ heddle check assumed.c -- -DADD => error assertion
// $ heddle check --algorithm rcmc assumed.c -- -DADD => error assertion
// $ heddle check --algorithm await --model sc assumed.c -- -DADD => error assertion
//
// A read of which something false is assumed may race. Only the success of this compare-exchange acquires.
// $ heddle check assumed.c -- -DRACE => error race
// $ heddle check --algorithm rcmc assumed.c -- -DRACE => error race
// $ heddle check --model sc assumed.c -- -DRACE => error race
// $ heddle check --model sc --algorithm await assumed.c -- -DRACE => error race
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <verifier.h>

static atomic_int x;

#if defined(LOAD) || defined(NUMBER) || defined(JOINED) || defined(BRANCH)

static void* first(void* arg) {
#if defined(LOAD)
  heddle_assume(atomic_load(&x) == 2);
#elif defined(NUMBER)
  __VERIFIER_assume(atomic_load(&x) & 2);
#elif defined(JOINED)
  const int seen = atomic_load(&x);
  heddle_assume(seen != 0);
  heddle_assume(seen > 1);
#else
  if (atomic_load(&x) != 2) heddle_assume(0);
#endif
  return arg;
}
static void* second(void* arg) {
  atomic_store(&x, 1);
#ifndef NEVER
  atomic_store(&x, 2);
#endif
  return arg;
}

#elif defined(EXCHANGE) || defined(CAS)

static void* first(void* arg) {
#ifdef EXCHANGE
  heddle_assume(!atomic_exchange(&x, 1));
#else
  int zero = 0;
  heddle_assume(atomic_compare_exchange_strong(&x, &zero, 1));
#endif
  atomic_store(&x, 0);
  return arg;
}
#define second first

#elif defined(ADD)

static void* first(void* arg) {
  heddle_assume(atomic_fetch_add(&x, 1) == 0);
  return arg;
}
static void* second(void* arg) {
  heddle_assume(atomic_fetch_add(&x, 1) == 0);
  assert(atomic_load(&x) != 2);
  return arg;
}

#elif defined(RACE)

static atomic_int set;

static void* first(void* arg) {
  *(int*)&x = 5;
  atomic_store_explicit(&x, 1, memory_order_release);
  atomic_store_explicit(&x, 3, memory_order_release);
  atomic_store_explicit(&set, 1, memory_order_relaxed);
  return arg;
}
static void* second(void* arg) {
  heddle_assume(atomic_load_explicit(&set, memory_order_relaxed));
  int one = 1;
  heddle_assume(
      atomic_compare_exchange_strong_explicit(&x, &one, 2, memory_order_acquire, memory_order_relaxed));
  return arg;
}

#endif

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], NULL, first, NULL);
  pthread_create(&threads[1], NULL, second, NULL);
#if defined(EXCHANGE) || defined(CAS)
  pthread_create(&threads[2], NULL, first, NULL);
  pthread_join(threads[2], NULL);
#endif
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  return 0;
}
