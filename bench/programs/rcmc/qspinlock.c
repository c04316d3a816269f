// qspinlock(N), RCMC (POPL 2018), Table 4: a queued spinlock in one 32-bit word, as the Linux kernel has it: who comes
// first takes the word, the second sets a bit and spins on the word, and all others queue up, each spinning on a node
// of its own, as in the lock of Mellor-Crummey and Scott. Written from the algorithm.
//
//   bits 0-7: locked    bit 8: pending    bits 16-17: nesting level of the queue's last node    bits 18-31: its CPU + 1
//
// The kernel relies on address dependencies where `next` and the exchange of the tail are acquire and release here: the
// model has none. N threads write a shared variable while they hold the lock.
// $ heddle check qspinlock.c => verified
// $ heddle check qspinlock.c -- -DSC => verified
// $ heddle check qspinlock.c -- -DUNLOCK=memory_order_relaxed => error race
// $ heddle check qspinlock.c -- -DTAKE=memory_order_relaxed => error race
// $ heddle check qspinlock.c -- -DN=3 => verified
// $ heddle check qspinlock.c -- -DN=3 -DTAKE_FROM_QUEUE=memory_order_relaxed => error race
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "sc.h"

#ifndef N
#define N 2
#endif
#ifndef UNLOCK
#define UNLOCK memory_order_release
#endif
#ifndef TAKE
#define TAKE memory_order_acquire
#endif
#ifndef TAKE_FROM_QUEUE
#define TAKE_FROM_QUEUE memory_order_acquire
#endif

#define LOCKED 1u
#define LOCKED_MASK 0xffu
#define PENDING 0x100u
#define TAIL_MASK 0xffff0000u
#define LEVELS 4  // a CPU takes a lock in a task, and again in interrupts of three kinds

typedef struct node {
  _Atomic(struct node*) next;
  atomic_int locked;
} node_t;

static atomic_uint word;
static node_t nodes[N][LEVELS];
static _Thread_local uint32_t cpu, level;

static uint32_t tail_of(uint32_t number, uint32_t nesting) { return (number + 1) << 18 | nesting << 16; }
static node_t* node_of(uint32_t tail) { return &nodes[(tail >> 18) - 1][tail >> 16 & 3]; }

static uint32_t load(memory_order order) { return atomic_load_explicit(&word, order); }

static bool replace(uint32_t old, uint32_t new, memory_order order) {
  return atomic_compare_exchange_strong_explicit(&word, &old, new, order, memory_order_relaxed);
}

// Makes our node the last of the queue; returns the word as it was.
static uint32_t exchange_tail(uint32_t tail) {
  uint32_t old = load(memory_order_relaxed);
  while (!atomic_compare_exchange_strong_explicit(&word, &old, (old & ~TAIL_MASK) | tail, memory_order_acq_rel,
                                                  memory_order_relaxed)) {
  }
  return old;
}

static void queue_up(node_t* node, uint32_t tail) {
  atomic_store_explicit(&node->locked, 0, memory_order_relaxed);
  atomic_store_explicit(&node->next, NULL, memory_order_relaxed);
  if (load(memory_order_relaxed) == 0 && replace(0, LOCKED, memory_order_acquire)) return;

  const uint32_t old = exchange_tail(tail);
  if (old & TAIL_MASK) {
    atomic_store_explicit(&node_of(old)->next, node, memory_order_release);
    heddle_assume(atomic_load_explicit(&node->locked, memory_order_acquire) != 0);
  }
  const uint32_t now = load(TAKE_FROM_QUEUE);
  heddle_assume((now & (LOCKED_MASK | PENDING)) == 0);
  if ((now & TAIL_MASK) == tail && replace(now, LOCKED, memory_order_relaxed)) return;  // nobody is behind us
  atomic_fetch_or_explicit(&word, LOCKED, memory_order_relaxed);
  node_t* next = atomic_load_explicit(&node->next, memory_order_acquire);
  heddle_assume(next != NULL);
  atomic_store_explicit(&next->locked, 1, memory_order_release);
}

static void lock(void) {
  if (replace(0, LOCKED, memory_order_acquire)) return;

  uint32_t now = load(memory_order_relaxed);
  if (now == PENDING) {  // the lock is being handed over to the one that is pending
    now = load(memory_order_relaxed);
    heddle_assume(now != PENDING);
  }
  if ((now & ~LOCKED_MASK) == 0) {
    now = atomic_fetch_or_explicit(&word, PENDING, memory_order_acquire);
    if ((now & ~LOCKED_MASK) == 0) {
      if (now != 0) heddle_assume((load(TAKE) & LOCKED_MASK) == 0);
      atomic_fetch_add_explicit(&word, LOCKED - PENDING, memory_order_relaxed);
      return;
    }
    if ((now & PENDING) == 0) atomic_fetch_and_explicit(&word, ~PENDING, memory_order_relaxed);
  }
  const uint32_t nesting = level++;
  queue_up(&nodes[cpu][nesting], tail_of(cpu, nesting));
  --level;
}

static void unlock(void) { atomic_fetch_sub_explicit(&word, LOCKED, UNLOCK); }

static int shared;

static void* work(void* arg) {
  cpu = (uint32_t)(uintptr_t)arg;
  lock();
  shared = (int)cpu;
  assert(shared == (int)cpu);
  unlock();
  return NULL;
}

int main(void) {
  pthread_t threads[N];
  for (uintptr_t i = 0; i < N; ++i) pthread_create(&threads[i], NULL, work, (void*)i);
  for (int i = 0; i < N; ++i) pthread_join(threads[i], NULL);
  assert(load(memory_order_relaxed) == 0);
  return 0;
}
