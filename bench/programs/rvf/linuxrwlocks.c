// linuxrwlocks(N), rvf-smc (CAV 2021), Table 2: the counter-based reader-writer lock of older Linux kernels, with N + 1
// threads that each read once and write once under it. The counter starts at BIAS; a reader takes 1 of it, a writer
// all. Who finds too little puts it back and waits. The paper cuts loops that wait, and counts what is cut; our loops
// wait.
// $ heddle check --algorithm rvf --model sc --races ignore linuxrwlocks.c => verified, 204 executions
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 1
#endif

#define BIAS 0x00100000

static atomic_int counter = BIAS;
static int shared;

// Takes `amount` if at least `enough` is there.
static void lock(int amount, int enough) {
  while (atomic_fetch_sub(&counter, amount) < enough) {
    atomic_fetch_add(&counter, amount);
    while (atomic_load(&counter) < enough) {
    }
  }
}

static void unlock(int amount) { atomic_fetch_add(&counter, amount); }

static void* thread(void* unused) {
  lock(1, 1);
  int seen = shared;
  unlock(1);
  lock(BIAS, BIAS);
  shared = 1;
  unlock(BIAS);
  (void)seen;
  return unused;
}

int main(void) {
  pthread_t t[N + 1];
  for (int i = 0; i <= N; ++i) pthread_create(&t[i], 0, thread, 0);
}
