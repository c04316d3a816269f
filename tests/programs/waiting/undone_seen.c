// What other threads see of rounds that take back what they have added: then the rounds are followed. A load, a
// compare-exchange, an exchange, a store, an addition whose result is used, a wait for the value that is there in
// passing, and one that goes on to more than one place; each of them is right while no round is in between.
// $ heddle check undone_seen.c -- -DLOAD => error assertion
// $ heddle check --model sc undone_seen.c -- -DLOAD => error assertion
// $ heddle check --algorithm rcmc undone_seen.c -- -DLOAD => error assertion
// $ heddle check --algorithm await --model sc undone_seen.c -- -DLOAD => error assertion
// $ heddle check --algorithm rvf --model sc undone_seen.c -- -DLOAD => error assertion
// $ heddle check undone_seen.c -- -DCAS => error assertion
// $ heddle check --algorithm await --model sc undone_seen.c -- -DCAS => error assertion
// $ heddle check undone_seen.c -- -DEXCHANGE => error assertion
// $ heddle check --algorithm rcmc undone_seen.c -- -DEXCHANGE => error assertion
// $ heddle check undone_seen.c -- -DSTORE => error assertion
// $ heddle check --model tso undone_seen.c -- -DSTORE => error assertion
// $ heddle check --algorithm await --model sc undone_seen.c -- -DSTORE => error assertion
// $ heddle check --algorithm rvf --model sc undone_seen.c -- -DSTORE => error assertion
// $ heddle check undone_seen.c -- -DUSED => error assertion
// $ heddle check undone_seen.c -- -DASSUMED => error assertion
// $ heddle check --algorithm rcmc undone_seen.c -- -DASSUMED => error assertion
// $ heddle check --algorithm await --model sc undone_seen.c -- -DASSUMED => error assertion
// $ heddle check --algorithm rvf --model sc undone_seen.c -- -DASSUMED => error assertion
// $ heddle check undone_seen.c -- -DTWO_PLACES => error assertion
// $ heddle check --algorithm await --model sc undone_seen.c -- -DTWO_PLACES => error assertion
// $ heddle check undone_seen.c -- -DROUND => error assertion
// $ heddle check --algorithm await --model sc undone_seen.c -- -DROUND => error assertion
// $ heddle check undone_seen.c -- -DTHIRD => error assertion
// $ heddle check --algorithm await --model sc undone_seen.c -- -DTHIRD => error assertion
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>

enum { WRITER = 16 };
static atomic_int lock = WRITER;  // of main, which gives it back
static atomic_int told;

static void* reader(void* p) {
  while (atomic_fetch_add(&lock, 1) == WRITER) atomic_fetch_sub(&lock, 1);
  return p;
}

static void* other(void* p) {
#if defined LOAD
  const int found = atomic_load(&lock);
  if (atomic_load(&lock) == WRITER && found != WRITER) assert(0);
  atomic_fetch_sub(&lock, WRITER);
#elif defined CAS
  int there = WRITER + 1;
  assert(!atomic_compare_exchange_strong(&lock, &there, WRITER + 1));
  atomic_fetch_sub(&lock, WRITER);
#elif defined EXCHANGE
  atomic_exchange(&lock, 0);
#elif defined STORE
  atomic_store(&lock, 0);
#elif defined USED
  assert(atomic_fetch_add(&lock, 2) == WRITER);
  atomic_fetch_sub(&lock, WRITER + 2);
#elif defined ASSUMED
  heddle_assume(atomic_load(&lock) == WRITER + 1);
  assert(0);
#elif defined TWO_PLACES
  int found;
  while (!((found = atomic_load(&lock)) & WRITER)) {
  }
  assert(!(found & 1));
  atomic_fetch_sub(&lock, WRITER);
#elif defined ROUND
  // No await: what the last read of the round has found does not decide.
  int found;
  do {
    found = atomic_load(&lock);
    atomic_load(&told);
  } while (found != WRITER + 1);
  assert(0);
#elif defined THIRD
  while (atomic_fetch_add(&lock, 2) != WRITER + 1) atomic_fetch_sub(&lock, 2);
  assert(0);
#endif
  return p;
}

int main(void) {
  pthread_t r, o;
  pthread_create(&r, 0, reader, 0);
  pthread_create(&o, 0, other, 0);
  pthread_join(r, 0);
  pthread_join(o, 0);
  assert(lock == 1);
  return 0;
}
