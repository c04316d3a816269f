// Something is made once, by whoever comes first. The others wait for it; later ones see at once that it is there.
// $ heddle check once.c => verified, 15 executions
// $ heddle check --model sc once.c => verified, 15 executions
// $ heddle check --model tso once.c => verified, 15 executions
// $ heddle check --model ra once.c => verified, 15 executions
// $ heddle check --algorithm rcmc once.c => verified, 75 executions
// $ heddle check --algorithm await --model sc once.c => verified, 75 executions
// $ heddle check once.c -- -DWEAK => error race
// $ heddle check --algorithm rcmc once.c -- -DWEAK => error race
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef WEAK
#define ACQUIRE memory_order_relaxed
#else
#define ACQUIRE memory_order_acquire
#endif
#define N 3

enum { kNew, kRunning, kDone };
static atomic_int state;
static int made;

static void call_once_by_hand(void (*make)(void)) {
  if (atomic_load_explicit(&state, ACQUIRE) == kDone) return;
  int expected = kNew;
  if (atomic_compare_exchange_strong_explicit(&state, &expected, kRunning, memory_order_relaxed,
                                              memory_order_relaxed)) {
    make();
    atomic_store_explicit(&state, kDone, memory_order_release);
    return;
  }
  while (atomic_load_explicit(&state, memory_order_acquire) != kDone) {
  }
}

static void make(void) { ++made; }

static void* worker(void* arg) {
  call_once_by_hand(make);
  assert(made == 1);
  return arg;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; ++i) pthread_create(&t[i], 0, worker, 0);
  for (int i = 0; i < N; ++i) pthread_join(t[i], 0);
  return 0;
}
