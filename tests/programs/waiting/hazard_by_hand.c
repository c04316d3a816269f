// A hazard pointer by hand: the reader says what it reads and looks whether that is still there; the writer waits until
// nobody reads what it has taken out, and frees it.
// $ heddle check hazard_by_hand.c => verified, 27 executions
// $ heddle check --model sc hazard_by_hand.c => verified, 27 executions
// $ heddle check --model tso hazard_by_hand.c => verified, 27 executions
// $ heddle check --model ra hazard_by_hand.c => verified, 27 executions
// $ heddle check --algorithm rcmc hazard_by_hand.c => verified, 27 executions
// $ heddle check --algorithm await --model sc hazard_by_hand.c => verified, 27 executions
// $ heddle check hazard_by_hand.c -- -DWEAK => error memory
// $ heddle check --algorithm rcmc hazard_by_hand.c -- -DWEAK => error memory
// $ heddle check --model tso hazard_by_hand.c -- -DWEAK => error memory
// Nobody is waited for:
// $ heddle check hazard_by_hand.c -- -DHASTY => error memory
// $ heddle check --model sc hazard_by_hand.c -- -DHASTY => error memory
// $ heddle check --algorithm await --model sc hazard_by_hand.c -- -DHASTY => error memory
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef WEAK
#define FULL memory_order_acq_rel
#else
#define FULL memory_order_seq_cst
#endif

struct node {
  int value;
};
static _Atomic(struct node*) shared, hazard;

static struct node* make(int value) {
  struct node* n = malloc(sizeof *n);
  n->value = value;
  return n;
}

static void* reader(void* arg) {
  struct node* n;
  do {
    n = atomic_load_explicit(&shared, memory_order_relaxed);
    atomic_store_explicit(&hazard, n, memory_order_relaxed);
    atomic_thread_fence(FULL);
  } while (atomic_load_explicit(&shared, memory_order_acquire) != n);
  assert(n->value < 3);
  atomic_store_explicit(&hazard, 0, memory_order_release);
  return arg;
}

static void* writer(void* arg) {
  for (int i = 1; i < 3; ++i) {
    struct node* old = atomic_exchange_explicit(&shared, make(i), memory_order_acq_rel);
    atomic_thread_fence(memory_order_seq_cst);
#ifndef HASTY
    while (atomic_load_explicit(&hazard, memory_order_acquire) == old) {
    }
#endif
    free(old);
  }
  return arg;
}

int main(void) {
  pthread_t r, w;
  atomic_init(&shared, make(0));
  pthread_create(&r, 0, reader, 0);
  pthread_create(&w, 0, writer, 0);
  pthread_join(r, 0);
  pthread_join(w, 0);
  return 0;
}
