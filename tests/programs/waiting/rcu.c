// Read-copy-update: the writer publishes a new version, waits until each reader that might still have the old one was
// seen to leave, and frees it.
// $ heddle check rcu.c => verified, 25 executions
// $ heddle check --model sc rcu.c => verified, 25 executions
// $ heddle check --model tso rcu.c => verified, 25 executions
// $ heddle check --model ra rcu.c => verified, 25 executions
// $ heddle check --algorithm await --model sc rcu.c => verified, 25 executions
// $ heddle check rcu.c -- -DWEAK => error memory
// $ heddle check --algorithm rcmc rcu.c -- -DWEAK => error memory
// $ heddle check --model tso rcu.c -- -DWEAK => error memory
// $ heddle check --model sc rcu.c -- -DWEAK => verified
// Nobody is waited for:
// $ heddle check rcu.c -- -DHASTY => error memory
// $ heddle check --model sc rcu.c -- -DHASTY => error memory
// $ heddle check --algorithm await --model sc rcu.c -- -DHASTY => error memory
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef WEAK
#define FULL memory_order_acq_rel
#else
#define FULL memory_order_seq_cst
#endif
#define READERS 2

struct version {
  int a, b;
};
static _Atomic(struct version*) current;
static atomic_uint counter[READERS];  // odd: inside

static struct version* make(int value) {
  struct version* v = malloc(sizeof *v);
  v->a = v->b = value;
  return v;
}

static void* reader(void* arg) {
  atomic_uint* mine = &counter[(long)arg];
  const unsigned c = atomic_load_explicit(mine, memory_order_relaxed);
  atomic_store_explicit(mine, c + 1, memory_order_relaxed);
  atomic_thread_fence(FULL);
  const struct version* v = atomic_load_explicit(&current, memory_order_acquire);
  assert(v->a == v->b);
  atomic_store_explicit(mine, c + 2, memory_order_release);
  return 0;
}

static void synchronize(void) {
  atomic_thread_fence(memory_order_seq_cst);
  for (int i = 0; i < READERS; ++i) {
    const unsigned c = atomic_load_explicit(&counter[i], memory_order_acquire);
    if (c % 2 == 0) continue;
    while (atomic_load_explicit(&counter[i], memory_order_acquire) == c) {
    }
  }
}

static void update(int value) {
  struct version* old = atomic_load_explicit(&current, memory_order_relaxed);
  atomic_store_explicit(&current, make(value), memory_order_release);
#ifndef HASTY
  synchronize();
#endif
  free(old);
}

int main(void) {
  pthread_t r[READERS];
  atomic_init(&current, make(0));
  for (long i = 0; i < READERS; ++i) pthread_create(&r[i], 0, reader, (void*)i);
  update(1);
  for (int i = 0; i < READERS; ++i) pthread_join(r[i], 0);
  free(atomic_load(&current));
  return 0;
}
