// linuxrwlocks(N), rvf-smc (CAV 2021), Table 2: the counter-based reader-writer lock of older Linux kernels, with N + 1
// threads: one writes, one reads and then writes, all others read. The counter starts at BIAS; a reader takes 1 of it,
// a writer all. Who finds too little puts it back and waits. The paper cuts a thread off that would wait, and counts
// what is left as a trace: 56, 62018. With --no-await we do too.
// $ heddle check --algorithm rvf --model sc --races ignore --no-retries linuxrwlocks.c => verified, 36 executions, 0 blocked
// $ heddle check --algorithm rvf --model sc --races ignore --no-await linuxrwlocks.c => verified, 36 executions, 20 blocked
// $ heddle check --algorithm await --model sc --races ignore --no-await --no-commute linuxrwlocks.c => verified, 39 executions, 20 blocked
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

static void* reader(void* unused) {
  lock(1, 1);
  int seen = shared;
  unlock(1);
  (void)seen;
  return unused;
}

static void* writer(void* unused) {
  lock(BIAS, BIAS);
  shared = 1;
  unlock(BIAS);
  return unused;
}

static void* reader_writer(void* unused) { return writer(reader(unused)); }

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  pthread_create(&t, 0, reader_writer, 0);
  for (int i = 1; i < N; ++i) pthread_create(&t, 0, reader, 0);
}
