// Dekker's lock for two threads.
// $ heddle check dekker.c => verified
// $ heddle check --model sc dekker.c => verified
// $ heddle check --algorithm rcmc dekker.c => verified
// $ heddle check --algorithm await --model sc dekker.c => verified
// $ heddle check dekker.c -- -DWEAK => error race
// $ heddle check --algorithm rcmc dekker.c -- -DWEAK => error race
// $ heddle check --model tso --races ignore dekker.c -- -DWEAK => error assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef WEAK
#define STORE memory_order_release
#define LOAD memory_order_acquire
#else
#define STORE memory_order_seq_cst
#define LOAD memory_order_seq_cst
#endif
#define N 2

static atomic_int wants[2], turn;
static void lock(long me) {
  atomic_store_explicit(&wants[me], 1, STORE);
  while (atomic_load_explicit(&wants[1 - me], LOAD)) {
    if (atomic_load_explicit(&turn, LOAD) == (int)me) continue;
    atomic_store_explicit(&wants[me], 0, STORE);
    while (atomic_load_explicit(&turn, LOAD) != (int)me) {
    }
    atomic_store_explicit(&wants[me], 1, STORE);
  }
}
static void unlock(long me) {
  atomic_store_explicit(&turn, 1 - (int)me, STORE);
  atomic_store_explicit(&wants[me], 0, STORE);
}

static int shared;

static void* worker(void* arg) {
  lock((long)arg);
  int before = shared;
  shared = before + 1;
  unlock((long)arg);
  return 0;
}

int main(void) {
  pthread_t t[N];
  for (long i = 0; i < N; ++i) pthread_create(&t[i], 0, worker, (void*)i);
  for (int i = 0; i < N; ++i) pthread_join(t[i], 0);
  assert(shared == N);
  return 0;
}
