// linuxrwlocks(N), optimal-dpor-await (FMCAD 2022), Table I: the counter-based reader-writer lock of older Linux
// kernels. The counter starts at BIAS; a reader takes 1 of it, a writer all. Who finds too little puts it back, which
// commutes with what others put back, and waits. The first thread reads, the second writes, all others read and then
// write. All accesses are seq_cst.
// Without --no-retries the rounds are left out that put back what they have taken.
// $ heddle check --model sc linuxrwlocks.c -- -DN=3 => verified, 24 executions, 0 blocked
// $ heddle check --algorithm await --model sc linuxrwlocks.c -- -DN=3 => verified, 18 executions, 0 blocked
// $ heddle check --algorithm await --model sc --no-retries linuxrwlocks.c -- -DN=3 => verified, 3840 executions, 0 blocked
// $ heddle check --algorithm await --model sc --no-retries --no-commute linuxrwlocks.c -- -DN=3 => verified, 38033 executions
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
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

static void* reader(void* arg) {
  lock(1, 1);
  const int seen = shared;
  assert(seen == shared);
  unlock(1);
  return arg;
}

static void* writer(void* arg) {
  lock(BIAS, BIAS);
  ++shared;
  unlock(BIAS);
  return arg;
}

static void* reader_writer(void* arg) { return writer(reader(arg)); }

int main(void) {
  static void* (*const kinds[])(void*) = {reader, writer, reader_writer};
  pthread_t threads[N];
  for (int i = 0; i < N; ++i) pthread_create(&threads[i], NULL, kinds[i < 2 ? i : 2], NULL);
  for (int i = 0; i < N; ++i) pthread_join(threads[i], NULL);
  assert(shared == N - 1);
  assert(atomic_load(&counter) == BIAS);
  return 0;
}
