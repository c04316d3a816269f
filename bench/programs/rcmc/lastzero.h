// lastzero(N), RCMC (POPL 2018), Table 4: thread j of N computes a[j] = a[j-1] + 1; thread 0 seeks the highest index
// whose element is 0. lastzero0 and lastzero1 differ in the order in which threads are started.
//
// Thread j > 1 sees thread j-1's write or not: 2^(N-1) ways. Thread 0 stops at some k. For k = N and k = 0 all of
// these ways are possible; for 0 < k < N it has seen a[k+1], so thread k+1 must not have seen thread k: half of them.
// Together 2 * 2^(N-1) + (N-1) * 2^(N-2) = (N+3) * 2^(N-2) executions.
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 5
#endif

static atomic_int a[N + 1];

static void* seek(void* arg) {
  int k = N;
  while (atomic_load_explicit(&a[k], memory_order_acquire) != 0) --k;
  return arg;
}

static void* update(void* arg) {
  const long j = (long)arg;
  atomic_store_explicit(&a[j], atomic_load_explicit(&a[j - 1], memory_order_acquire) + 1, memory_order_release);
  return NULL;
}

static pthread_t threads[N + 1];

static void start_seek(void) { pthread_create(&threads[0], NULL, seek, NULL); }
static void start_updates(void) {
  for (long j = 1; j <= N; ++j) pthread_create(&threads[j], NULL, update, (void*)j);
}
static void join_all(void) {
  for (int j = 0; j <= N; ++j) pthread_join(threads[j], NULL);
}
