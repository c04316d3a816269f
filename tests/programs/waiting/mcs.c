// The queue lock of Mellor-Crummey and Scott.
// $ heddle check mcs.c => verified
// $ heddle check --model sc mcs.c => verified
// $ heddle check --model tso mcs.c => verified
// $ heddle check --algorithm rcmc mcs.c => verified
// $ heddle check --algorithm await --model sc mcs.c => verified
// $ heddle check mcs.c -- -DWEAK => error race
// $ heddle check --algorithm rcmc mcs.c -- -DWEAK => error race
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

struct node {
  _Atomic(struct node*) next;
  atomic_int locked;
};
static struct node nodes[N];
static _Atomic(struct node*) tail;
static void lock(long i) {
  struct node* me = &nodes[i];
  atomic_store_explicit(&me->next, 0, memory_order_relaxed);
  atomic_store_explicit(&me->locked, 1, memory_order_relaxed);
  struct node* before = atomic_exchange_explicit(&tail, me, memory_order_acq_rel);
  if (!before) return;
  atomic_store_explicit(&before->next, me, memory_order_release);
  while (atomic_load_explicit(&me->locked, memory_order_acquire)) {
  }
}
static void unlock(long i) {
  struct node* me = &nodes[i];
  struct node* after = atomic_load_explicit(&me->next, memory_order_acquire);
  if (!after) {
    struct node* expected = me;
    if (atomic_compare_exchange_strong_explicit(&tail, &expected, 0, memory_order_release, memory_order_relaxed)) return;
    while (!(after = atomic_load_explicit(&me->next, memory_order_acquire))) {
    }
  }
  atomic_store_explicit(&after->locked, 0, RELEASE);
}

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
