// Epoch-based reclamation with three epochs. A reader pins the epoch that it sees. The epoch goes on when every pinned
// thread has seen it, and what was retired two epochs ago is freed.
// $ heddle check epochs.c => verified, 21 executions
// $ heddle check --model sc epochs.c => verified, 21 executions
// $ heddle check --model tso epochs.c => verified, 21 executions
// $ heddle check --model ra epochs.c => verified, 21 executions
// $ heddle check --algorithm rcmc epochs.c => verified, 21 executions
// $ heddle check --algorithm await --model sc epochs.c => verified, 21 executions
// $ heddle check epochs.c -- -DWEAK => error memory
// $ heddle check --algorithm rcmc epochs.c -- -DWEAK => error memory
// $ heddle check --model tso epochs.c -- -DWEAK => error memory
// $ heddle check --model sc epochs.c -- -DWEAK => verified
// Freed an epoch too early:
// $ heddle check epochs.c -- -DHASTY => error memory
// $ heddle check --model sc epochs.c -- -DHASTY => error memory
// $ heddle check --algorithm await --model sc epochs.c -- -DHASTY => error memory
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef WEAK
#define FULL memory_order_acq_rel
#else
#define FULL memory_order_seq_cst
#endif
#ifdef HASTY
#define GRACE 1
#else
#define GRACE 2
#endif
#define N 2

struct node {
  int value;
};
static _Atomic(struct node*) shared;
static atomic_int epoch;
static atomic_int pinned[N];  // 0, or the epoch + 1

static void pin(int me) {
  int e;
  do {
    e = atomic_load_explicit(&epoch, memory_order_relaxed);
    atomic_store_explicit(&pinned[me], e + 1, memory_order_relaxed);
    atomic_thread_fence(FULL);
  } while (atomic_load_explicit(&epoch, memory_order_acquire) != e);
}

static void unpin(int me) { atomic_store_explicit(&pinned[me], 0, memory_order_release); }

static int advance(void) {
  int e = atomic_load_explicit(&epoch, memory_order_relaxed);
  atomic_thread_fence(memory_order_seq_cst);
  for (int i = 0; i < N; ++i) {
    const int p = atomic_load_explicit(&pinned[i], memory_order_acquire);
    if (p != 0 && p != e + 1) return 0;
  }
  return atomic_compare_exchange_strong_explicit(&epoch, &e, (e + 1) % 3, memory_order_release, memory_order_relaxed);
}

static struct node* make(int value) {
  struct node* n = malloc(sizeof *n);
  n->value = value;
  return n;
}

static void* reader(void* arg) {
  const int me = (int)(long)arg;
  pin(me);
  const int v = atomic_load_explicit(&shared, memory_order_acquire)->value;
  assert(v == 0 || v == 1);
  unpin(me);
  return 0;
}

static void* writer(void* arg) {
  const int me = (int)(long)arg;
  pin(me);
  struct node* old = atomic_exchange_explicit(&shared, make(1), memory_order_acq_rel);
  unpin(me);
  for (int i = 0; i < GRACE; ++i) {
    while (!advance()) {
    }
  }
  free(old);
  return 0;
}

int main(void) {
  pthread_t r, w;
  atomic_init(&shared, make(0));
  pthread_create(&r, 0, reader, (void*)0);
  pthread_create(&w, 0, writer, (void*)1);
  pthread_join(r, 0);
  pthread_join(w, 0);
  return 0;
}
