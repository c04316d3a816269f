// A loop that waits for several flags, in a function of its own with an inner loop; and one that cannot be seen through:
// the counter of its rounds is used afterwards.
// $ heddle check scan.c => verified
// $ heddle check --model sc scan.c => verified
// $ heddle check --algorithm rcmc scan.c => verified
// $ heddle check --algorithm await --model sc scan.c => verified
// $ heddle check scan.c -- -DMISSING => error livelock
// $ heddle check --no-purity --no-await --unroll 3 scan.c => incomplete
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define N 3
static atomic_int ready[N];
static int data[N];

__attribute__((noinline)) static int all_ready(void) {
  for (int i = 0; i < N; ++i) {
    if (!atomic_load_explicit(&ready[i], memory_order_acquire)) return 0;
  }
  return 1;
}

static void* worker(void* arg) {
  const long me = (long)arg;
  data[me] = 1;
#ifdef MISSING
  if (me == 1) return 0;
#endif
  atomic_store_explicit(&ready[me], 1, memory_order_release);
  return 0;
}

int main(void) {
  pthread_t t[N];
  for (long i = 0; i < N; ++i) pthread_create(&t[i], 0, worker, (void*)i);
  while (!all_ready()) {
  }
  for (int i = 0; i < N; ++i) assert(data[i] == 1);
  for (int i = 0; i < N; ++i) pthread_join(t[i], 0);
  return 0;
}
