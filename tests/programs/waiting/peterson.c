// Peterson's lock for two threads.
// $ heddle check peterson.c => verified
// $ heddle check --model sc peterson.c => verified
// $ heddle check --algorithm rcmc peterson.c => verified
// $ heddle check --algorithm await --model sc peterson.c => verified
// $ heddle check peterson.c -- -DWEAK => error race
// $ heddle check --algorithm rcmc peterson.c -- -DWEAK => error race
// $ heddle check --model tso --races ignore peterson.c -- -DWEAK => error assertion
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
  atomic_store_explicit(&turn, 1 - (int)me, STORE);
  while (atomic_load_explicit(&wants[1 - me], LOAD) && atomic_load_explicit(&turn, LOAD) == 1 - (int)me) {
  }
}
static void unlock(long me) { atomic_store_explicit(&wants[me], 0, memory_order_release); }

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
