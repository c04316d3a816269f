// The one-bit mutex, as Lamport has it: who comes later in the order takes its wish back and waits for the others.
// $ heddle check one_bit.c => verified, 4 executions
// $ heddle check --model sc one_bit.c => verified, 4 executions
// $ heddle check --model tso one_bit.c => verified, 4 executions
// $ heddle check --algorithm rcmc one_bit.c => verified, 4 executions
// $ heddle check --algorithm await --model sc one_bit.c => verified, 4 executions
// $ heddle check one_bit.c -- -DWEAK => error race
// $ heddle check --algorithm rcmc one_bit.c -- -DWEAK => error race
// $ heddle check --model tso --races ignore one_bit.c -- -DWEAK => error assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef WEAK
#define STORE memory_order_release
#else
#define STORE memory_order_seq_cst
#endif
#define N 2

static atomic_int wants[N];
static int shared;

static void wait_for(int j) {
  while (atomic_load(&wants[j])) {
  }
}

static void lock(int me) {
retry:
  atomic_store_explicit(&wants[me], 1, STORE);
  for (int j = 0; j < me; ++j) {
    if (atomic_load(&wants[j])) {
      atomic_store(&wants[me], 0);
      wait_for(j);
      goto retry;
    }
  }
  for (int j = me + 1; j < N; ++j) wait_for(j);
}

static void* worker(void* arg) {
  const int me = (int)(long)arg;
  lock(me);
  ++shared;
  atomic_store(&wants[me], 0);
  return 0;
}

int main(void) {
  pthread_t t[N];
  for (long i = 0; i < N; ++i) pthread_create(&t[i], 0, worker, (void*)i);
  for (int i = 0; i < N; ++i) pthread_join(t[i], 0);
  assert(shared == N);
  return 0;
}
