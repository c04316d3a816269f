// Rounds that take back what they have added, which no other thread can tell: the thread waits where it would add. A
// reader that announces itself and sees a writer; the same with a function that tries, by two readers; Linux's
// readers-writer lock, whose readers wait in a loop of their own, with the first try in the loop and before it; a
// semaphore that gives back what it has taken; threads that look first.
// $ heddle check undone.c => verified, 2 executions, 0 blocked
// $ heddle check --model sc undone.c => verified, 2 executions, 0 blocked
// $ heddle check --model tso undone.c => verified, 2 executions, 0 blocked
// $ heddle check --model ra undone.c => verified, 2 executions, 0 blocked
// $ heddle check --algorithm rcmc undone.c => verified, 2 executions
// $ heddle check --algorithm rcmc --model wrc11 undone.c => verified, 2 executions
// $ heddle check --algorithm await --model sc undone.c => verified, 2 executions, 0 blocked
// $ heddle check --algorithm rvf --model sc undone.c => verified, 2 executions
// $ heddle check undone.c -- -DREADERS=2 -DTRY => verified
// $ heddle check --algorithm await --model sc undone.c -- -DREADERS=2 -DTRY => verified
// $ heddle check undone.c -- -DLINUX => verified, 2 executions, 0 blocked
// $ heddle check --algorithm rcmc undone.c -- -DLINUX => verified, 2 executions
// $ heddle check --algorithm await --model sc undone.c -- -DLINUX => verified, 2 executions, 0 blocked
// $ heddle check --algorithm rvf --model sc undone.c -- -DLINUX => verified
// $ heddle check undone.c -- -DLINUX -DBEFORE => verified, 2 executions, 0 blocked
// $ heddle check undone.c -- -DLINUX -DREADERS=2 => verified
// $ heddle check undone.c -- -DSEMAPHORE => verified, 2 executions, 0 blocked
// $ heddle check undone.c -- -DLOOK => verified, 3 executions, 0 blocked
// $ heddle check --algorithm rcmc undone.c -- -DLOOK => verified
// $ heddle check undone.c -- -DNEVER => error livelock
// $ heddle check --algorithm await --model sc undone.c -- -DNEVER => error livelock
// $ heddle check undone.c -- -DRACE => error race
// $ heddle check --algorithm rcmc undone.c -- -DRACE => error race
// $ heddle check undone.c -- -DFREED => error memory
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef READERS
#define READERS 1
#endif

#define add(n, order) atomic_fetch_add_explicit(lock, n, memory_order_##order)
#define sub(n, order) atomic_fetch_sub_explicit(lock, n, memory_order_##order)

static int data;

#if defined LINUX
enum { BIAS = 1 << 20, FREE = BIAS };
static void wait_for(atomic_int* lock, int least) {
  while (atomic_load_explicit(lock, memory_order_relaxed) < least) {
  }
}
#ifdef BEFORE
static void take(atomic_int* lock, int amount, int least) {
  int found = sub(amount, acquire);
  while (found < least) {
    add(amount, relaxed);
    wait_for(lock, least);
    found = sub(amount, acquire);
  }
}
#else
static void take(atomic_int* lock, int amount, int least) {
  while (sub(amount, acquire) < least) {
    add(amount, relaxed);
    wait_for(lock, least);
  }
}
#endif
static void lock_shared(atomic_int* lock) { take(lock, 1, 1); }
static void unlock_shared(atomic_int* lock) { add(1, release); }
static void lock_alone(atomic_int* lock) { take(lock, BIAS, BIAS); }
static void unlock_alone(atomic_int* lock) { add(BIAS, release); }

#elif defined SEMAPHORE
enum { FREE = 1 };
static void lock_shared(atomic_int* lock) {
  for (;;) {
    if (sub(1, acquire) <= 0) {
      add(1, relaxed);
      continue;
    }
    break;
  }
}
static void unlock_shared(atomic_int* lock) { add(1, release); }
static void lock_alone(atomic_int* lock) { lock_shared(lock); }
static void unlock_alone(atomic_int* lock) { unlock_shared(lock); }

#else
enum { FREE = 0, READER = 4, WRITER = 1, UPGRADED = 2 };
static int try_shared(atomic_int* lock) {
  if (add(READER, acquire) & (WRITER | UPGRADED)) {
    add(-READER, release);
    return 0;
  }
  return 1;
}
static void lock_shared(atomic_int* lock) {
#if defined TRY
  while (!try_shared(lock)) {
  }
#elif defined LOOK
  for (;;) {
    while (atomic_load_explicit(lock, memory_order_relaxed) & (WRITER | UPGRADED)) {
    }
    if (try_shared(lock)) break;
  }
#else
  while (add(READER, acquire) & (WRITER | UPGRADED)) sub(READER, relaxed);
#endif
}
static void unlock_shared(atomic_int* lock) { sub(READER, release); }
static void lock_alone(atomic_int* lock) {
  int none = 0;
  while (!atomic_compare_exchange_weak_explicit(lock, &none, WRITER, memory_order_acquire, memory_order_relaxed)) none = 0;
}
static void unlock_alone(atomic_int* lock) {
#ifndef NEVER
  atomic_fetch_and_explicit(lock, ~(WRITER | UPGRADED), memory_order_release);
#endif
}
#endif

static void* reader(void* p) {
  atomic_int* lock = p;
  lock_shared(lock);
  const int seen = data;
  assert(seen == 0 || seen == 2);
  unlock_shared(lock);
  return p;
}

static void* writer(void* p) {
  atomic_int* lock = p;
  lock_alone(lock);
  data = 1;
  data = 2;
#if defined RACE
  *(int*)lock = WRITER;  // a reader may be there
#elif defined FREED
  free(lock);
  return p;
#endif
  unlock_alone(lock);
  return p;
}

int main(void) {
  atomic_int* lock = malloc(sizeof *lock);
  atomic_init(lock, FREE);
  pthread_t readers[READERS], w;
  for (int i = 0; i < READERS; ++i) pthread_create(&readers[i], 0, reader, lock);
  pthread_create(&w, 0, writer, lock);
  for (int i = 0; i < READERS; ++i) pthread_join(readers[i], 0);
  pthread_join(w, 0);
#ifndef FREED
#ifndef NEVER
  assert(*lock == FREE);
#endif
  free(lock);
#endif
  return 0;
}
