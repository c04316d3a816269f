// A mutex made of a futex (Drepper, Futexes Are Tricky, the second of the paper). One that forgets to wake, and one
// that wakes nobody because it does not know of those that wait.
// $ heddle check futex.c => verified
// $ heddle check --model sc futex.c => verified
// $ heddle check --model tso futex.c => verified
// $ heddle check --algorithm await --model sc futex.c => verified
// $ heddle check futex.c -- -DNO_WAKE => error deadlock
// $ heddle check --model sc futex.c -- -DNO_WAKE => error deadlock
// $ heddle check --algorithm await --model sc futex.c -- -DNO_WAKE => error deadlock
// $ heddle check futex.c -- -DFORGETS => error deadlock
// $ heddle check --model sc futex.c -- -DFORGETS => error deadlock
// $ heddle check --algorithm await --model sc futex.c -- -DFORGETS => error deadlock
#define _GNU_SOURCE
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int word;  // 0 free, 1 held, 2 held and somebody may wait
static int n;

static void lock(void) {
  int was = 0;
  if (atomic_compare_exchange_strong(&word, &was, 1)) return;
#ifdef FORGETS
  const int held = 1;
#else
  const int held = 2;
#endif
  if (was != held) was = atomic_exchange(&word, held);
  while (was != 0) {
    syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, held, NULL, NULL, 0);
    was = atomic_exchange(&word, held);
  }
}

static void unlock(void) {
  const int was = atomic_exchange(&word, 0);
#ifndef NO_WAKE
  if (was == 2) syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
#endif
  (void)was;
}

static void* work(void* arg) {
  (void)arg;
  lock();
  ++n;
  unlock();
  return NULL;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, NULL, work, NULL);
  pthread_create(&u, NULL, work, NULL);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  assert(n == 2);
}
