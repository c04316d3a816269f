// Futexes with bit sets: readers and writers wait for one word, and only the kind that is meant is woken.
// $ heddle check futex_bits.c => verified
// $ heddle check --model sc futex_bits.c => verified
// $ heddle check --model tso futex_bits.c => verified
// $ heddle check --model sc --algorithm await futex_bits.c => verified
// $ heddle check --model sc --algorithm rvf futex_bits.c => verified
// $ heddle check futex_bits.c -- -DWRONG_KIND => error deadlock
// $ heddle check --model sc --algorithm await futex_bits.c -- -DWRONG_KIND => error deadlock
// $ heddle check futex_bits.c -- -DALL => verified
// $ heddle check futex_bits.c -- -DMOVED => verified
// $ heddle check futex_bits.c -- -DMOVED -DWRONG_KIND => error deadlock
// $ heddle check futex_bits.c -- -DPLAIN => verified
// $ heddle check futex_bits.c -- -DCOUNTS => verified
// $ heddle check futex_bits.c -- -DPOINTER -DWRONG_KIND => error deadlock
// $ heddle check futex_bits.c -- -DPASSED_ON => verified
// $ heddle check futex_bits.c -- -DMANY => exit 2, "4 threads with bit sets"
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { READERS = 1, WRITERS = 2 };

static atomic_int word, other;
static int data;

static long futex(atomic_int* at, int operation, int value, long value2, atomic_int* to, unsigned bits) {
#ifdef POINTER
  static long (*volatile call)(long, ...) = syscall;
  return call(SYS_futex, at, (long)(operation | FUTEX_PRIVATE_FLAG), (long)value, value2, to, (long)bits);
#else
  return syscall(SYS_futex, at, operation | FUTEX_PRIVATE_FLAG, value, value2, to, bits);
#endif
}

static void* reader(void* arg) {
  while (atomic_load(&word) == 0) futex(&word, FUTEX_WAIT_BITSET, 0, 0, 0, READERS);
  assert(data == 1);
  return arg;
}

// Waits for a 2, which comes only once.
static void* writer(void* arg) {
  for (int seen; (seen = atomic_load(&word)) != 2;) futex(&word, FUTEX_WAIT_BITSET, seen, 0, 0, WRITERS);
  return arg;
}

static void* does_not_wait(void* arg) {
  assert(futex(&word, FUTEX_WAIT_BITSET, 5, 0, 0, READERS) == -1 && errno == EAGAIN);
  return arg;
}

static void* waits_for_one(void* arg) {
  while (atomic_load(&word) == 0) futex(&word, FUTEX_WAIT_BITSET, 0, 0, 0, WRITERS);
  return arg;
}

static void* waits(void* arg) {
#ifdef PLAIN
  futex(&word, FUTEX_WAIT, 0, 0, 0, 0);
#else
  futex(&word, FUTEX_WAIT_BITSET, 0, 0, 0, READERS);
#endif
  return arg;
}

int main(void) {
  pthread_t t, u;
#if defined COUNTS
  errno = 0;
  assert(futex(&word, FUTEX_WAKE_BITSET, 1, 0, 0, 0) == -1 && errno == EINVAL);
  assert(futex(&word, FUTEX_WAIT_BITSET, 0, 0, 0, 0) == -1 && errno == EINVAL);
  assert(futex(&word, FUTEX_WAIT_BITSET, 1, 0, 0, READERS) == -1 && errno == EAGAIN);
  pthread_create(&t, 0, waits, 0);
  pthread_create(&u, 0, waits, 0);
  assert(futex(&word, FUTEX_WAKE_BITSET, 10, 0, 0, WRITERS) == 0);
  int woken = 0;
  while (woken < 2) {
    const long n = futex(&word, FUTEX_WAKE_BITSET, 1, 0, 0, READERS | WRITERS);
    assert(n == 0 || n == 1);
    woken += (int)n;
  }
#elif defined PLAIN  // whoever has no set is woken by each
  pthread_create(&t, 0, waits, 0);
  pthread_create(&u, 0, waits, 0);
  atomic_store(&word, 1);
  futex(&word, FUTEX_WAKE_BITSET, 2, 0, 0, 8);
#elif defined ALL
  pthread_create(&t, 0, waits, 0);
  pthread_create(&u, 0, waits, 0);
  atomic_store(&word, 1);
  assert(futex(&word, FUTEX_WAKE, 100, 0, 0, 0) <= 2);
#elif defined PASSED_ON  // whoever leaves passes the wake-up on to whom it may have been meant for
  pthread_create(&t, 0, does_not_wait, 0);
  pthread_create(&u, 0, waits_for_one, 0);
  atomic_store(&word, 1);
  futex(&word, FUTEX_WAKE_BITSET, 1, 0, 0, READERS | WRITERS);
#elif defined MANY
  pthread_t all[8];
  for (int i = 0; i < 8; ++i) pthread_create(&all[i], 0, waits, 0);
  t = u = all[0];
#elif defined MOVED  // with its set
  pthread_create(&t, 0, waits, 0);
  while (futex(&word, FUTEX_CMP_REQUEUE, 0, 1, &other, 0) == 0) {
  }
  assert(futex(&word, FUTEX_WAKE, 1, 0, 0, 0) == 0);
#ifdef WRONG_KIND
  futex(&other, FUTEX_WAKE_BITSET, 1, 0, 0, WRITERS);
#else
  assert(futex(&other, FUTEX_WAKE_BITSET, 1, 0, 0, READERS) == 1);
#endif
  u = t;
#else
  pthread_create(&t, 0, reader, 0);
  pthread_create(&u, 0, writer, 0);
  data = 1;
  atomic_store(&word, 1);
#ifdef WRONG_KIND
  futex(&word, FUTEX_WAKE_BITSET, 1, 0, 0, WRITERS);
#else
  futex(&word, FUTEX_WAKE_BITSET, 1, 0, 0, READERS);
#endif
  atomic_store(&word, 2);
  futex(&word, FUTEX_WAKE_BITSET, 100, 0, 0, WRITERS);
#endif
  pthread_join(t, 0);
  if (u != t) pthread_join(u, 0);
  return 0;
}
