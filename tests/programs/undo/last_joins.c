// Main joins all, looks at what has come of it, and ends: that is not done again where it must come to the same. In each
// of these one execution of many ends otherwise, and a mistake is only made there.
// $ heddle check last_joins.c => verified, 72 executions
// $ heddle check --algorithm rcmc last_joins.c => verified, 72 executions
// $ heddle check --model tso last_joins.c => verified
// $ heddle check last_joins.c -- -DPLAIN => error assertion here
// $ heddle check --algorithm rcmc last_joins.c -- -DPLAIN => error assertion here
// $ heddle check last_joins.c -- -DNOT_WRITTEN => error assertion here
// $ heddle check last_joins.c -- -DATOMIC => error assertion here
// $ heddle check --model sc last_joins.c -- -DATOMIC => error assertion here
// $ heddle check last_joins.c -- -DRACE => error race
// $ heddle check last_joins.c -- -DRACE_WITH_WRITE => error race
// $ heddle check last_joins.c -- -DDETACH => error thread, "it was detached before"
// $ heddle check last_joins.c -- -DJOIN => error thread, "it was joined before"
// $ heddle check last_joins.c -- -DSTATUS => error exit, "main returned 1"
// $ heddle check last_joins.c -- -DFREED => error memory, "is freed"
// $ heddle check last_joins.c -- -DLOCAL => error memory, "may still use it"
// $ heddle check last_joins.c -- -DUNINITIALISED => error memory, "uninitialised"
// $ heddle check last_joins.c -- -DONE_MORE => error deadlock
// $ heddle check last_joins.c -- -DTWINS => error race
// $ heddle check --no-symmetry last_joins.c -- -DTWINS => error race
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int x, y, order;
static int plain, slot[8], *pointer;
static pthread_t threads[4];

static void* run(void* argument) {
  const int me = (int)(long)argument;
  atomic_fetch_add_explicit(&x, me, memory_order_relaxed);
  atomic_store_explicit(&y, me, memory_order_relaxed);
  slot[me] = me;
  return 0;
}

// In few executions: before anybody has added to x or written y. (3! orders of additions, 2 of stores; of the 4 values of x
// one leads to a read of y, with 3: 72.)
static int is_rare(void) { return atomic_load(&x) == 0 && atomic_load(&y) == 0; }

static void* wait_for_ever(void* argument) {
  pthread_mutex_t m;
  pthread_mutex_init(&m, 0);
  pthread_mutex_lock(&m);
  pthread_mutex_lock(&m);
  return argument;
}

static void* do_wrong(void* local) {
#ifdef NOT_WRITTEN
  if (!is_rare()) plain = 1;
#endif
  if (!is_rare()) return 0;
#if defined PLAIN || defined STATUS || defined RACE
  plain = 1;
#elif defined ATOMIC
  atomic_store(&order, 1);
#elif defined RACE_WITH_WRITE || defined UNINITIALISED
  if (plain == 0) *(int*)local = 3;
#elif defined DETACH
  pthread_detach(pthread_self());
#elif defined JOIN
  pthread_join(threads[1], 0);
#elif defined FREED
  free(pointer);
#elif defined LOCAL
  (void)*(volatile int*)local;
#elif defined ONE_MORE
  pthread_create(&threads[0], 0, wait_for_ever, 0);
#endif
  (void)wait_for_ever;
  return 0;
}

// One of two that do the same writes, if nobody else comes between. If it is the second one, main has not joined it.
static void* write_what_is_there(void* argument) {
  if (atomic_fetch_add(&x, 1) == 1) plain = 0;
  return argument;
}
static void* add(void* argument) {
  atomic_fetch_add(&x, 10);
  return argument;
}

#ifdef TWINS
int main(void) {
  pthread_create(&threads[0], 0, write_what_is_there, 0);
  pthread_create(&threads[1], 0, write_what_is_there, 0);
  pthread_create(&threads[2], 0, add, 0);
  pthread_join(threads[0], 0);
  const int seen = plain;
  pthread_join(threads[1], 0);
  pthread_join(threads[2], 0);
  return seen;
}
#else
int main(void) {
  (void)write_what_is_there, (void)add;
  int local = 0;
#ifdef FREED
  pointer = malloc(sizeof *pointer);
  *pointer = 0;
#endif
#ifdef UNINITIALISED
  int* const given = malloc(sizeof *given);
#else
  int* const given = &local;
#endif
  for (long i = 1; i < 3; i++) pthread_create(&threads[i], 0, run, (void*)i);
  pthread_create(&threads[3], 0, do_wrong, given);
  atomic_fetch_add_explicit(&x, 3, memory_order_relaxed);
#if !defined RACE && !defined RACE_WITH_WRITE && !defined LOCAL
  pthread_join(threads[3], 0);
#endif
  pthread_join(threads[1], 0);
  pthread_join(threads[2], 0);
#ifdef ONE_MORE
  if (threads[0] != 0) pthread_join(threads[0], 0);
#endif
#if defined PLAIN
  assert(plain == 0);  // here
#elif defined NOT_WRITTEN
  assert(plain == 1);  // here
#elif defined ATOMIC
  assert(atomic_load(&order) == 0);  // here
#elif defined RACE
  (void)*(volatile int*)&plain;
#elif defined RACE_WITH_WRITE
  *(volatile int*)&local = 4;
#elif defined FREED
  assert(*pointer == 0);
#elif defined UNINITIALISED
  if (atomic_load(&x) == 6 && *given == 3) return 0;
#elif defined STATUS
  return plain;
#endif
#ifndef NOT_WRITTEN
  assert(slot[1] + slot[2] == 3);
#endif
  return 0;
}
#endif
