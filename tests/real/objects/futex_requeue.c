// Two threads wait at one word; one of them is moved to another. Whoever is moved is woken there.
// $ heddle check futex_requeue.c => verified
// $ heddle check --model sc futex_requeue.c => verified
// $ heddle check --model tso futex_requeue.c => verified
// $ heddle check --algorithm await --model sc futex_requeue.c => verified
// $ heddle check futex_requeue.c -- -DBUG => error deadlock
// $ heddle check --model sc futex_requeue.c -- -DBUG => error deadlock
// $ heddle check --algorithm await --model sc futex_requeue.c -- -DBUG => error deadlock
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int gate, second;

static long futex(atomic_int* a, int op, int value, uintptr_t value2, atomic_int* b, int value3) {
  return syscall(SYS_futex, a, op, value, value2, b, value3);
}

static void* work(void* arg) {
  (void)arg;
  if (gate == 0) futex(&gate, FUTEX_WAIT, 0, 0, NULL, 0);
  return NULL;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, NULL, work, NULL);
  pthread_create(&u, NULL, work, NULL);
  gate = 1;
  const long n = futex(&gate, FUTEX_CMP_REQUEUE_PRIVATE, 1, INT_MAX, &second, 1);
  assert(n >= 0 && n <= 2);
  assert(futex(&gate, FUTEX_CMP_REQUEUE, 1, 1, &second, 5) == -1 && errno == EAGAIN);
#ifndef BUG
  futex(&second, FUTEX_WAKE, INT_MAX, 0, NULL, 0);
#endif
  pthread_join(t, NULL);
  pthread_join(u, NULL);
}
