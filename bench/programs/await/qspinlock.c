// qspinlock(N), optimal-dpor-await (FMCAD 2022), Table I: the queued spinlock of the Linux kernel (version 4.2 and
// later), in one word. Who comes first takes the word, the second sets a bit and waits for the word, and all others
// queue up, each waiting in a node of its own, as in the lock of Mellor-Crummey and Scott. N threads take the lock once
// each. All accesses are seq_cst.
//
//   bits 0-7: locked    bit 8: pending    bits 16-31: number of the queue's last thread + 1
//
// $ heddle check --algorithm await --model sc qspinlock.c -- -DN=2 => verified, 6 executions
// Twelve executions of three threads go round in lock() until `now` is what it was two rounds before. There a thread
// stops, so they count as blocked. --no-purity has them as the paper counts them.
//
// $ heddle check --algorithm await --model sc qspinlock.c -- -DN=3 => verified, 318 executions, 102 blocked
// $ heddle check --algorithm await --model sc --no-purity qspinlock.c -- -DN=3 => verified, 330 executions, 90 blocked
// $ heddle check --algorithm await --model sc --no-retries qspinlock.c -- -DN=3 => verified, 552 executions, 12 blocked
// $ heddle check --algorithm await --model sc --no-purity --no-retries qspinlock.c -- -DN=3 => verified, 564 executions, 0 blocked
// $ heddle check --algorithm await --model sc --no-await qspinlock.c -- -DN=3 => verified, 552 executions, 474 blocked
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#ifndef N
#define N 2
#endif

#define LOCKED 1u
#define LOCKED_MASK 0xffu
#define PENDING 0x100u
#define TAIL_MASK 0xffff0000u

typedef struct node {
  _Atomic(struct node*) next;
  atomic_int locked;
} node_t;

static atomic_uint word;
static node_t nodes[N];
static int shared;

// The word as it was.
static uint32_t replace(uint32_t old, uint32_t new) {
  atomic_compare_exchange_strong(&word, &old, new);
  return old;
}

// Makes our node the last of the queue; returns the word as it was.
static uint32_t exchange_tail(uint32_t tail) {
  uint32_t now = atomic_load(&word);
  for (;;) {
    const uint32_t old = replace(now, (now & ~TAIL_MASK) | tail);
    if (old == now) return old;
    now = old;
  }
}

static void queue_up(uint32_t self) {
  node_t* const node = &nodes[self];
  const uint32_t tail = (self + 1) << 16;
  atomic_store(&node->locked, 0);
  atomic_store(&node->next, NULL);
  if (replace(0, LOCKED) == 0) return;

  const uint32_t old = exchange_tail(tail);
  if (old & TAIL_MASK) {
    atomic_store(&nodes[(old >> 16) - 1].next, node);
    while (!atomic_load(&node->locked)) {
    }
  }
  uint32_t now;
  while ((now = atomic_load(&word)) & (LOCKED_MASK | PENDING)) {
  }
  if (now == tail && replace(now, LOCKED) == now) return;  // nobody is behind us
  atomic_fetch_or(&word, LOCKED);
  node_t* next;
  while (!(next = atomic_load(&node->next))) {
  }
  atomic_store(&next->locked, 1);
}

static void lock(uint32_t self) {
  uint32_t now = replace(0, LOCKED);
  if (now == 0) return;

  if (now == PENDING) {  // the lock is being handed over to the one that is pending
    while ((now = atomic_load(&word)) == PENDING) {
    }
  }
  for (;;) {
    if (now & ~LOCKED_MASK) {
      queue_up(self);
      return;
    }
    const uint32_t old = replace(now, now == LOCKED ? LOCKED | PENDING : LOCKED);
    if (old == now) break;
    now = old;
  }
  if (now != LOCKED) return;  // it was free
  while (atomic_load(&word) & LOCKED_MASK) {
  }
  atomic_fetch_add(&word, LOCKED - PENDING);
}

static void unlock(void) { atomic_fetch_sub(&word, LOCKED); }

static void* work(void* arg) {
  lock((uint32_t)(uintptr_t)arg);
  ++shared;
  unlock();
  return NULL;
}

int main(void) {
  pthread_t threads[N];
  for (uintptr_t i = 0; i < N; ++i) pthread_create(&threads[i], NULL, work, (void*)i);
  for (int i = 0; i < N; ++i) pthread_join(threads[i], NULL);
  assert(shared == N);
  assert(atomic_load(&word) == 0);
  return 0;
}
