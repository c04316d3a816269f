// seqlock(N), optimal-dpor-await (FMCAD 2022), Table I: the sequence lock of the Linux kernel. A writer, alone under a
// mutex, makes the sequence number odd while it writes; a reader reads again if the number was odd or has changed. The
// first thread reads, the second writes, all others read and then write. All atomic accesses are seq_cst.
// $ heddle check --algorithm await --model sc seqlock.c -- -DN=3 => verified, 9 executions
// $ heddle check --algorithm await --model sc seqlock.c -- -DN=4 => verified, 88 executions
// $ heddle check --algorithm await --model sc --no-await seqlock.c -- -DN=4 => verified, 88 executions, 2769 blocked
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int sequence;
static atomic_int shared;

static int read_begin(void) {
  int start;
  while ((start = atomic_load(&sequence)) & 1) {
  }
  return start;
}

static void* reader(void* arg) {
  int start, seen;
  do {
    start = read_begin();
    seen = atomic_load(&shared);
  } while (atomic_load(&sequence) != start);
  assert(seen == start / 2);
  return arg;
}

static void* writer(void* arg) {
  pthread_mutex_lock(&mutex);
  const int start = atomic_load(&sequence);
  atomic_store(&sequence, start + 1);
  atomic_store(&shared, start / 2 + 1);
  atomic_store(&sequence, start + 2);
  pthread_mutex_unlock(&mutex);
  return arg;
}

static void* reader_writer(void* arg) { return writer(reader(arg)); }

int main(void) {
  static void* (*const kinds[])(void*) = {reader, writer, reader_writer};
  pthread_t threads[N];
  for (int i = 0; i < N; ++i) pthread_create(&threads[i], NULL, kinds[i < 2 ? i : 2], NULL);
  for (int i = 0; i < N; ++i) pthread_join(threads[i], NULL);
  assert(atomic_load(&shared) == N - 1);
  return 0;
}
