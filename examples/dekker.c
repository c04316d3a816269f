// Store buffering, the heart of Dekker's mutual exclusion: each thread announces itself, then looks for the other. Both
// may enter under RC11, because nothing orders a relaxed store before the load that follows it. Under sequential
// consistency, or with -DFENCE under RC11, at most one enters.
//
// $ heddle check dekker.c => error assertion, line 29
// $ heddle check --model sc dekker.c => verified, 3 executions
// $ heddle check dekker.c -- -DFENCE => verified, 3 executions
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2];
static int entered[2];

static void* enter(void* arg) {
  const long me = (long)arg;
  atomic_store_explicit(&wants[me], 1, memory_order_relaxed);
#ifdef FENCE
  atomic_thread_fence(memory_order_seq_cst);
#endif
  entered[me] = atomic_load_explicit(&wants[1 - me], memory_order_relaxed) == 0;
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (long i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, enter, (void*)i);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  assert(!(entered[0] && entered[1]));
  return 0;
}
