// A tournament barrier, passed twice: who loses a round tells the winner and waits to be woken; the champion wakes the
// losers, and these those that they have beaten.
// $ heddle check tournament.c => verified, 1 executions
// $ heddle check --model sc tournament.c => verified, 1 executions
// $ heddle check --model tso tournament.c => verified, 1 executions
// $ heddle check --model ra tournament.c => verified, 1 executions
// $ heddle check --algorithm rcmc tournament.c => verified, 1 executions
// $ heddle check --algorithm await --model sc tournament.c => verified, 1 executions
// $ heddle check tournament.c -- -DWEAK => error race
// $ heddle check --algorithm rcmc tournament.c -- -DWEAK => error race
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef WEAK
#define RELEASE memory_order_relaxed
#else
#define RELEASE memory_order_release
#endif
#define N 3
#define ROUNDS 2

static atomic_int arrived[N][ROUNDS], woken[N];
static int cell[N];

static void wait_for(atomic_int* flag, int sense) {
  while (atomic_load_explicit(flag, memory_order_acquire) != sense) {
  }
}

static void barrier(int me, int sense) {
  int round = 0;
  for (; round < ROUNDS; ++round) {
    const int step = 1 << round;
    if (me & step) {
      atomic_store_explicit(&arrived[me - step][round], sense, RELEASE);
      wait_for(&woken[me], sense);
      break;
    }
    if (me + step < N) wait_for(&arrived[me][round], sense);
  }
  while (round-- > 0) {
    const int beaten = me + (1 << round);
    if (beaten < N) atomic_store_explicit(&woken[beaten], sense, memory_order_release);
  }
}

static void* worker(void* arg) {
  const int me = (int)(long)arg;
  cell[me] = 1;
  barrier(me, 1);
  for (int i = 0; i < N; ++i) assert(cell[i] == 1);
  barrier(me, 0);
  cell[me] = 2;
  return 0;
}

int main(void) {
  pthread_t t[N];
  for (long i = 0; i < N; ++i) pthread_create(&t[i], 0, worker, (void*)i);
  for (int i = 0; i < N; ++i) pthread_join(t[i], 0);
  return 0;
}
