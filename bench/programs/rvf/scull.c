// scull(N), rvf-smc (CAV 2021), Table 1 (scull_loop): a toy character driver. Three threads use one device: one reads,
// one writes, one opens it anew, which empties it; each N times, without the driver's lock. Most of what they write is
// what is there already, so that few values can be read. The benchmark's source is not in the paper, so the counts are
// ours.
// $ heddle check --algorithm rvf --model sc --races ignore scull.c => verified, 3 executions
// $ heddle check --algorithm rvf --model sc --races ignore scull.c -- -DN=2 => verified, 18 executions
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 1
#endif

#define QUANTUM 4

static int size, quantum = QUANTUM, data;

static void trim(void) {
  size = 0;
  quantum = QUANTUM;
  data = 0;
}

static void* open_it(void* unused) {
  for (int i = 0; i < N; ++i) trim();
  return unused;
}

static void* write_it(void* unused) {
  for (int i = 0; i < N; ++i) {
    int count = quantum;
    data = 1;
    if (size < count) size = count;
  }
  return unused;
}

static void* read_it(void* unused) {
  for (int i = 0; i < N; ++i) {
    int count = quantum;
    assert(count == QUANTUM);
    if (size > 0) {
      int seen = data;
      (void)seen;
    }
  }
  return unused;
}

int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, 0, open_it, 0);
  pthread_create(&b, 0, write_it, 0);
  pthread_create(&c, 0, read_it, 0);
}
