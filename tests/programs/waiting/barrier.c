// A sense-reversing barrier, passed twice.
// $ heddle check barrier.c => verified
// $ heddle check --model sc barrier.c => verified
// $ heddle check --model tso barrier.c => verified
// $ heddle check --algorithm rcmc barrier.c => verified
// $ heddle check --algorithm await --model sc barrier.c => verified
// $ heddle check barrier.c -- -DWEAK => error race
// $ heddle check --algorithm rcmc barrier.c -- -DWEAK => error race
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef WEAK
#define RELEASE memory_order_relaxed
#else
#define RELEASE memory_order_release
#endif
#ifndef N
#define N 2
#endif

static atomic_int waiting = N, sense;
static int cell[N];

static void barrier(int* mine) {
  *mine = !*mine;
  if (atomic_fetch_sub_explicit(&waiting, 1, memory_order_acq_rel) == 1) {
    atomic_store_explicit(&waiting, N, memory_order_relaxed);
    atomic_store_explicit(&sense, *mine, RELEASE);
  } else {
    while (atomic_load_explicit(&sense, memory_order_acquire) != *mine) {
    }
  }
}

static void* worker(void* arg) {
  const long me = (long)arg;
  int mine = 0;
  cell[me] = 1;
  barrier(&mine);
  assert(cell[(me + 1) % N] == 1);
  barrier(&mine);
  cell[me] = 2;
  return 0;
}

int main(void) {
  pthread_t t[N];
  for (long i = 0; i < N; ++i) pthread_create(&t[i], 0, worker, (void*)i);
  for (int i = 0; i < N; ++i) pthread_join(t[i], 0);
  return 0;
}
