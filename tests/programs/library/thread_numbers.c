// Each thread has a number of its own, main has that of the process, and the system call says the same.
// $ heddle check thread_numbers.c => verified
// $ heddle check --model sc --algorithm rvf thread_numbers.c => verified
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { NESTED = 5 };

static atomic_int order;
static pid_t number[2 * NESTED];

// Threads that create a thread, nested so deep that their paths are long.
static void* run(void* at) {
  pid_t* const mine = at;
  *mine = gettid();
  assert(syscall(SYS_gettid) == *mine);
  atomic_store(&order, *mine);
  if ((mine - number) % NESTED == NESTED - 1) return 0;
  pthread_t t;
  pthread_create(&t, 0, run, mine + 1);
  pthread_join(t, 0);
  return 0;
}

int main(void) {
  assert(gettid() == getpid() && syscall(SYS_gettid) == getpid());
  pthread_t t[2];
  pthread_create(&t[0], 0, run, number);
  pthread_create(&t[1], 0, run, number + NESTED);
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
  for (int i = 0; i < 2 * NESTED; i++) {
    assert(number[i] != getpid());
    for (int j = 0; j < i; j++) assert(number[i] != number[j]);
  }
  return 0;
}
