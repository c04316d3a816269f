// A loop in which a futex finds the word changed each time, and says so in errno.
// $ heddle check futex_again.c => verified
// $ heddle check --model sc futex_again.c => verified
// $ heddle check --model sc --algorithm await futex_again.c => verified
// $ heddle check futex_again.c -- -DNEVER => error livelock
#define _GNU_SOURCE
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int word = 1;

static void* work(void* arg) {
  while (atomic_load(&word) != 0) syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 2, NULL, NULL, 0);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, work, NULL);
#ifndef NEVER
  atomic_store(&word, 0);
  syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
#endif
  pthread_join(t, NULL);
}
