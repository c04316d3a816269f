// Rounds that only look as if they took back what they have added: each of them leaves something behind, or stops where
// the lock is free. So they are followed: more is taken back; of another number; what is there then is used; a store is
// in between; it is taken back on some ways only, or twice; a loop after it waits for more than the first read does.
// $ heddle check undone_otherwise.c -- -DMORE => error assertion
// $ heddle check undone_otherwise.c -- -DELSEWHERE => error assertion
// $ heddle check undone_otherwise.c -- -DRESULT => error assertion
// $ heddle check undone_otherwise.c -- -DSTORED => error assertion
// $ heddle check undone_otherwise.c -- -DSOME => error assertion
// $ heddle check undone_otherwise.c -- -DTWICE => error assertion
// $ heddle check undone_otherwise.c -- -DCOUNTED => error assertion
// $ heddle check undone_otherwise.c -- -DLOOK => error livelock
// $ heddle check --algorithm await --model sc undone_otherwise.c -- -DLOOK => error livelock
// $ heddle check undone_otherwise.c -- -DLEFT => error assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { WRITER = 16 };
static atomic_int lock = WRITER, elsewhere, stored;  // main's, which gives it back
static int rounds;

static void* reader(void* p) {
#if defined MORE
  while (atomic_fetch_add(&lock, 1) & WRITER) atomic_fetch_sub(&lock, 2);
#elif defined ELSEWHERE
  while (atomic_fetch_add(&lock, 1) & WRITER) atomic_fetch_sub(&elsewhere, 1);
#elif defined RESULT
  while (atomic_fetch_add(&lock, 1) & WRITER) {
    if (!(atomic_fetch_sub(&lock, 1) & WRITER)) atomic_store(&stored, 1);
  }
#elif defined STORED
  while (atomic_fetch_add(&lock, 1) & WRITER) {
    atomic_store(&stored, 1);
    atomic_fetch_sub(&lock, 1);
  }
#elif defined SOME
  int found;
  while ((found = atomic_fetch_add(&lock, 1)) & WRITER) {
    if (found == WRITER) continue;
    atomic_fetch_sub(&lock, 1);
  }
#elif defined TWICE
  while (atomic_fetch_add(&lock, 1) & WRITER) {
    atomic_fetch_sub(&lock, 1);
    if (!atomic_load(&stored)) atomic_fetch_sub(&lock, 1);
  }
#elif defined COUNTED
  while (atomic_fetch_add(&lock, 1) & WRITER) {
    atomic_fetch_sub(&lock, 1);
    if (++rounds > 1) break;
  }
  assert(rounds < 2);
#elif defined LOOK
  while (atomic_fetch_add(&lock, 1) & WRITER) {
    atomic_fetch_sub(&lock, 1);
    while (atomic_load(&lock) != -1) {
    }
  }
#elif defined LEFT
  while (atomic_fetch_add(&lock, 1) & WRITER) {
    atomic_fetch_sub(&lock, 1);
    while (atomic_load(&lock) & WRITER) {
      if (atomic_load(&lock) == WRITER) assert(0);
    }
  }
#endif
  return p;
}

int main(void) {
  pthread_t r;
  pthread_create(&r, 0, reader, 0);
  atomic_fetch_sub(&lock, WRITER);
  pthread_join(r, 0);
  assert(lock == 1 && elsewhere == 0 && stored == 0);
  return 0;
}
