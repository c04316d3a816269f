// Whoever waits with a time limit may reach it after it has been moved to another word. And who finds its word changed
// has never waited: nobody counts, wakes or moves it.
// $ heddle check futex_moved.c => verified
// $ heddle check --model sc futex_moved.c => verified
// $ heddle check --model tso futex_moved.c => verified
// $ heddle check --algorithm await --model sc futex_moved.c => verified
// $ heddle check --no-timeouts futex_moved.c => verified
// $ heddle check futex_moved.c -- -DLIMIT => error assertion
// $ heddle check --model sc futex_moved.c -- -DLIMIT => error assertion
// $ heddle check --algorithm await --model sc futex_moved.c -- -DLIMIT => error assertion
// $ heddle check futex_moved.c -- -DLIMIT -DBITS => error assertion
// $ heddle check --no-timeouts futex_moved.c -- -DLIMIT => verified
// $ heddle check futex_moved.c -- -DTWICE => error assertion
// $ heddle check --model sc futex_moved.c -- -DTWICE => error assertion
// $ heddle check futex_moved.c -- -DSTALE => verified
// $ heddle check --model sc futex_moved.c -- -DSTALE => verified
// $ heddle check --algorithm await --model sc futex_moved.c -- -DSTALE => verified
// $ heddle check futex_moved.c -- -DALONE => verified
// $ heddle check --algorithm await --model sc futex_moved.c -- -DALONE => verified
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static atomic_int first, second, third;
static long result[2];

static long requeue(atomic_int* from, atomic_int* to) {
  return syscall(SYS_futex, from, FUTEX_REQUEUE, 0, (uintptr_t)1, to, 0);
}

static long wait_at_first(void) {
#if defined LIMIT || defined TWICE || defined ALONE
  struct timespec limit = {1, 0};
  struct timespec* until = &limit;
#else
  struct timespec* until = NULL;
#endif
#ifdef BITS
  const long n = syscall(SYS_futex, &first, FUTEX_WAIT_BITSET, 0, until, NULL, 2);
#else
  const long n = syscall(SYS_futex, &first, FUTEX_WAIT, 0, until, NULL, 0);
#endif
  return n == 0 ? 0 : errno;
}

static void* work(void* arg) {
  (void)arg;
  result[0] = wait_at_first();
#ifdef TWICE
  result[1] = wait_at_first();  // what it was told before is not meant for this wait
#endif
  return NULL;
}

int main(void) {
  pthread_t t;
#ifdef ALONE
  assert(wait_at_first() == ETIMEDOUT);  // nobody moves it, and nobody finds it there later
#endif
  pthread_create(&t, NULL, work, NULL);
#ifdef ALONE
  first = 1;
  const long woken = syscall(SYS_futex, &first, FUTEX_WAKE, 2, NULL, NULL, 0);
  pthread_join(t, NULL);
  assert(woken <= 1);
#elif defined STALE
  first = 1;  // the thread has waited before, or never will
  const long moved = requeue(&first, &second);
  const long woken = syscall(SYS_futex, &second, FUTEX_WAKE, 1, NULL, NULL, 0);
  pthread_join(t, NULL);
  assert(woken == moved);
  assert(result[0] == (moved ? 0 : EAGAIN));
#elif defined TWICE
  const long moved = requeue(&first, &second);
  const long again = requeue(&second, &third);
  const long woken = syscall(SYS_futex, &third, FUTEX_WAKE, 1, NULL, NULL, 0);
  pthread_join(t, NULL);
  assert(again <= moved && woken <= again);
  assert(!woken || result[0] == 0 || result[1] == 0);
  if (result[0] == ETIMEDOUT && result[1] == ETIMEDOUT) assert(!again);
#else
  const long moved = requeue(&first, &second);
  first = 1;
  syscall(SYS_futex, &first, FUTEX_WAKE, 1, NULL, NULL, 0);
  const long woken = syscall(SYS_futex, &second, FUTEX_WAKE, 1, NULL, NULL, 0);
  pthread_join(t, NULL);
  assert(woken <= moved);
  assert(!moved || result[0] == 0);
#endif
}
