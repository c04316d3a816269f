// chase-lev-dq(N), rvf-smc (CAV 2021), Table 2: the work-stealing deque of Chase and Lev, without growing. The owner
// pushes N items and takes two; each of two thieves tries to steal two. An item is never taken twice. The benchmark's
// source is not in the paper, so the counts are ours.
// $ heddle check --algorithm rvf --model sc --races ignore chase-lev-dq.c => verified, 2584 executions
// $ heddle check --algorithm await --no-commute --model sc --races ignore chase-lev-dq.c => verified, 8692 executions
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 2
#endif

static atomic_int top, bottom, item[N], taken[N];

static void got(int i) { assert(atomic_fetch_add(&taken[i], 1) == 0); }

static void push(int value) {
  int b = atomic_load(&bottom);
  atomic_store(&item[b], value);
  atomic_store(&bottom, b + 1);
}

static void take(void) {
  int b = atomic_load(&bottom) - 1;
  atomic_store(&bottom, b);
  int t = atomic_load(&top);
  if (t > b) {
    atomic_store(&bottom, b + 1);
    return;
  }
  int value = atomic_load(&item[b]);
  if (t == b) {
    int last = atomic_compare_exchange_strong(&top, &t, t + 1);
    atomic_store(&bottom, b + 1);
    if (!last) return;
  }
  got(value);
}

static void steal(void) {
  int t = atomic_load(&top);
  int b = atomic_load(&bottom);
  if (t >= b) return;
  int value = atomic_load(&item[t]);
  if (atomic_compare_exchange_strong(&top, &t, t + 1)) got(value);
}

static void* thief(void* unused) {
  steal();
  steal();
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, thief, 0);
  pthread_create(&b, 0, thief, 0);
  for (int i = 0; i < N; ++i) push(i);
  take();
  take();
}
