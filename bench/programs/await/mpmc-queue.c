// mpmc-queue(N), optimal-dpor-await (FMCAD 2022), Table I: a bounded queue of many producers and many consumers, after
// Charles Bloom ("MPMC bounded queue", 2011). One word counts the reads and the writes that have started, two others
// those that are done; nobody looks at what these were when they are changed, so the fetch-and-adds commute. Who has
// started waits until what was started before it is done.
//
// There is one element at the start. The first thread reads until it finds the queue empty, the second writes one
// element, all others write one and then read until the queue is empty. All accesses are seq_cst.
// With -DROUNDS=3 executions in which one reads more are dropped, as by the paper's bound of loops.
// $ heddle check --algorithm await --model sc mpmc-queue.c -- -DN=3 => verified, 76 executions
// $ heddle check --algorithm await --model sc --no-commute mpmc-queue.c -- -DN=3 => verified, 166 executions
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#ifndef N
#define N 3
#endif

#define SIZE 10
#define MASK 0xffffu

static atomic_uint started;  // writes in the lower half, reads in the upper one
static atomic_uint reads_done;
static atomic_uint writes_done;
static int elements[SIZE];

static bool try_read(void) {
  unsigned now, reads, writes;
  do {
    now = atomic_load(&started);
    reads = now >> 16;
    writes = now & MASK;
    if (reads == writes) return false;
  } while (!atomic_compare_exchange_strong(&started, &now, now + MASK + 1));
  while (atomic_load(&writes_done) != writes) {
  }
  assert(elements[reads % SIZE] == 1);
  atomic_fetch_add(&reads_done, 1);
  return true;
}

static bool try_write(void) {
  unsigned now, reads, writes;
  do {
    now = atomic_load(&started);
    reads = now >> 16;
    writes = now & MASK;
    if (writes == reads + SIZE) return false;
  } while (!atomic_compare_exchange_strong(&started, &now, now + 1));
  while (atomic_load(&reads_done) != reads) {
  }
  elements[writes % SIZE] = 1;
  atomic_fetch_add(&writes_done, 1);
  return true;
}

static void* reader(void* arg) {
  for (int done = 0; try_read(); ++done) {
#ifdef ROUNDS
    heddle_assume(done < ROUNDS);
#endif
  }
  return arg;
}

static void* writer(void* arg) {
  const bool done = try_write();
  assert(done);  // there are less than SIZE
  return arg;
}

static void* writer_reader(void* arg) { return reader(writer(arg)); }

int main(void) {
  static void* (*const kinds[])(void*) = {reader, writer, writer_reader};
  pthread_t threads[N];
  writer(NULL);
  for (int i = 0; i < N; ++i) pthread_create(&threads[i], NULL, kinds[i < 2 ? i : 2], NULL);
  for (int i = 0; i < N; ++i) pthread_join(threads[i], NULL);
  return 0;
}
