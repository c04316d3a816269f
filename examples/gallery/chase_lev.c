// The work-stealing deque of Chase and Lev in C11, after Lê, Pop, Cohen and Zappa Nardelli (PPoPP 2013). The owner
// pushes and takes at the bottom, thieves steal at the top. A push into a full deque makes a larger array. That array
// is published by a relaxed store, and a thief may find it before it is filled in (found by Norris and Demsky, OOPSLA
// 2013). With -DRIGHT it is a release store.
//
// $ heddle check chase_lev.c => error race here
// $ heddle check chase_lev.c -- -DRIGHT => verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef RIGHT
#define PUBLISH memory_order_release
#else
#define PUBLISH memory_order_relaxed
#endif
enum { EMPTY = -1, ABORT = -2 };

struct array {
  int size;
  struct array* smaller;  // the one before, which a thief may still look at
  atomic_int items[2];    // the first `size` of them
};
static atomic_int top, bottom;
static _Atomic(struct array*) array;

static struct array* make_array(int size, struct array* smaller) {
  struct array* a = malloc(sizeof *a);
  a->size = size;
  a->smaller = smaller;
  return a;
}

static struct array* grow(struct array* old, int t, int b) {
  struct array* a = make_array(2 * old->size, old);
  for (int i = t; i < b; ++i) {
    const int x = atomic_load_explicit(&old->items[i % old->size], memory_order_relaxed);
    atomic_store_explicit(&a->items[i % a->size], x, memory_order_relaxed);
  }
  atomic_store_explicit(&array, a, PUBLISH);
  return a;
}

static void push(int x) {
  const int b = atomic_load_explicit(&bottom, memory_order_relaxed);
  const int t = atomic_load_explicit(&top, memory_order_acquire);
  struct array* a = atomic_load_explicit(&array, memory_order_relaxed);
  if (b - t > a->size - 1) a = grow(a, t, b);
  atomic_store_explicit(&a->items[b % a->size], x, memory_order_relaxed);
  atomic_thread_fence(memory_order_release);
  atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
}

static int take(void) {
  const int b = atomic_load_explicit(&bottom, memory_order_relaxed) - 1;
  struct array* a = atomic_load_explicit(&array, memory_order_relaxed);
  atomic_store_explicit(&bottom, b, memory_order_relaxed);
  atomic_thread_fence(memory_order_seq_cst);
  int t = atomic_load_explicit(&top, memory_order_relaxed), x = EMPTY;
  if (t <= b) x = atomic_load_explicit(&a->items[b % a->size], memory_order_relaxed);
  if (t < b) return x;
  if (t == b && !atomic_compare_exchange_strong_explicit(&top, &t, t + 1, memory_order_seq_cst, memory_order_relaxed)) {
    x = EMPTY;  // a thief was faster
  }
  atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
  return x;
}

static int steal(void) {
  int t = atomic_load_explicit(&top, memory_order_acquire);
  atomic_thread_fence(memory_order_seq_cst);
  const int b = atomic_load_explicit(&bottom, memory_order_acquire);
  if (t >= b) return EMPTY;
  struct array* a = atomic_load_explicit(&array, memory_order_consume);
  const int x = atomic_load_explicit(&a->items[t % a->size], memory_order_relaxed);  // here
  if (!atomic_compare_exchange_strong_explicit(&top, &t, t + 1, memory_order_seq_cst, memory_order_relaxed))
    return ABORT;
  return x;
}

static atomic_int taken[2];
static void got(int x) {
  if (x >= 0) assert(atomic_fetch_add_explicit(&taken[x], 1, memory_order_relaxed) == 0);
}

static void* thief(void* arg) {
  got(steal());
  return arg;
}

int main(void) {
  pthread_t t;
  atomic_init(&array, make_array(1, NULL));
  pthread_create(&t, NULL, thief, NULL);
  push(0);
  push(1);  // makes a larger array
  got(take());
  pthread_join(t, NULL);
  for (struct array *a = atomic_load(&array), *smaller; a; a = smaller) {
    smaller = a->smaller;
    free(a);
  }
  return 0;
}
