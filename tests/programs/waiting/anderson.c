// Anderson's array lock.
// $ heddle check anderson.c => verified
// $ heddle check --model sc anderson.c => verified
// $ heddle check --model tso anderson.c => verified
// $ heddle check --algorithm rcmc anderson.c => verified
// $ heddle check --algorithm await --model sc anderson.c => verified
// $ heddle check anderson.c -- -DWEAK => error race
// $ heddle check --algorithm rcmc anderson.c -- -DWEAK => error race
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef WEAK
#define RELEASE memory_order_relaxed
#else
#define RELEASE memory_order_release
#endif
#ifndef N
#define N 3
#endif

static atomic_int has_lock[N] = {1};
static atomic_uint next;
static unsigned slot[N];
static void lock(long i) {
  slot[i] = atomic_fetch_add_explicit(&next, 1, memory_order_relaxed) % N;
  while (!atomic_load_explicit(&has_lock[slot[i]], memory_order_acquire)) {
  }
  atomic_store_explicit(&has_lock[slot[i]], 0, memory_order_relaxed);
}
static void unlock(long i) { atomic_store_explicit(&has_lock[(slot[i] + 1) % N], 1, RELEASE); }

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
