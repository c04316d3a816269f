// Lamport's fast mutex: who is alone gets in with two stores and two loads; the others wait, and start over.
// $ heddle check fast_mutex.c => verified, 16 executions
// $ heddle check --model sc fast_mutex.c => verified, 16 executions
// $ heddle check --model tso fast_mutex.c => verified, 16 executions
// $ heddle check --algorithm rcmc fast_mutex.c => verified, 16 executions
// $ heddle check --algorithm await --model sc fast_mutex.c => verified, 16 executions
// $ heddle check fast_mutex.c -- -DWEAK => error race
// $ heddle check --algorithm rcmc fast_mutex.c -- -DWEAK => error race
// $ heddle check --model tso --races ignore fast_mutex.c -- -DWEAK => error assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef WEAK
#define STORE memory_order_release
#else
#define STORE memory_order_seq_cst
#endif
#define N 2

static atomic_int wants[N + 1], x, y;
static int shared;

static void lock(int me) {
start:
  atomic_store(&wants[me], 1);
  atomic_store_explicit(&x, me, STORE);
  if (atomic_load(&y) != 0) {
    atomic_store(&wants[me], 0);
    while (atomic_load(&y) != 0) {
    }
    goto start;
  }
  atomic_store_explicit(&y, me, STORE);
  if (atomic_load(&x) != me) {
    atomic_store(&wants[me], 0);
    for (int j = 1; j <= N; ++j) {
      while (atomic_load(&wants[j])) {
      }
    }
    if (atomic_load(&y) != me) {
      while (atomic_load(&y) != 0) {
      }
      goto start;
    }
  }
}

static void unlock(int me) {
  atomic_store(&y, 0);
  atomic_store(&wants[me], 0);
}

static void* worker(void* arg) {
  const int me = (int)(long)arg;
  lock(me);
  ++shared;
  unlock(me);
  return 0;
}

int main(void) {
  pthread_t t[N];
  for (long i = 0; i < N; ++i) pthread_create(&t[i], 0, worker, (void*)(i + 1));
  for (int i = 0; i < N; ++i) pthread_join(t[i], 0);
  assert(shared == N);
  return 0;
}
