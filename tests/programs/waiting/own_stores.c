// A round stores into memory that no other thread knows yet, with an atomic store: as good as a plain one. Two pushes
// and one pop: 2 orders of the pushes, the pop finds nothing or comes second or third of three, and 2 more where the
// second push has looked at the initial null, which has come back.
// $ heddle check own_stores.c --no-symmetry => verified, 8 executions
// $ heddle check own_stores.c --no-symmetry --model sc => verified, 8 executions
// $ heddle check own_stores.c --no-symmetry --model tso => verified, 8 executions
// $ heddle check own_stores.c --no-symmetry --model pso => verified, 8 executions
// Under pso a relaxed store may overtake the one in the loop, a release store may not.
// $ heddle check own_stores.c --model pso -- -DOVERTAKEN -DORDER=memory_order_relaxed => error assertion
// $ heddle check own_stores.c --model pso -- -DOVERTAKEN -DORDER=memory_order_release => verified
// Another thread reads it in no order with the store: that is an assertion, and no race.
// $ heddle check own_stores.c -- -DUNORDERED => error assertion
// $ heddle check own_stores.c --model sc -- -DUNORDERED => error assertion
// $ heddle check own_stores.c --no-retries -- -DUNORDERED => error assertion
// What another thread has written there before.
// $ heddle check own_stores.c -- -DSEEN => error assertion
// $ heddle check own_stores.c --no-retries -- -DSEEN => error assertion
// The thread itself has used it in an action before: each round stores what it has left there.
// $ heddle check own_stores.c --unroll 2 -- -DFIRST => verified
// $ heddle check own_stores.c --no-retries --unroll 2 -- -DFIRST => incomplete
// A plain read by another thread is a race.
// $ heddle check own_stores.c -- -DPLAIN => error race
// $ heddle check own_stores.c --no-retries -- -DPLAIN => error race
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#if defined UNORDERED || defined SEEN || defined FIRST || defined PLAIN || defined OVERTAKEN
static atomic_int x;
static _Atomic int mine, told;

static void* writer(void* p) {
#ifdef FIRST
  atomic_store(&mine, 1);
#endif
  for (;;) {
    const int v = atomic_load_explicit(&x, memory_order_acquire);
    atomic_store_explicit(&mine, v + 1, memory_order_relaxed);
    if (v != 0) break;
  }
#ifdef OVERTAKEN
  atomic_store_explicit(&told, 1, ORDER);
#endif
  return p;
}
static void* reader(void* p) {
#if defined UNORDERED
  assert(atomic_load_explicit(&mine, memory_order_relaxed) != 1);
#elif defined PLAIN
  assert(*(volatile int*)&mine < 3);
#elif defined OVERTAKEN
  if (atomic_load_explicit(&told, memory_order_acquire)) assert(atomic_load_explicit(&mine, memory_order_acquire) == 2);
#endif
  atomic_store_explicit(&x, 1, memory_order_release);
#ifdef SEEN
  atomic_store_explicit(&mine, 7, memory_order_relaxed);
#endif
  return p;
}
int main(void) {
  pthread_t t[2];
  atomic_store(&mine, 0);
#ifdef OVERTAKEN
  atomic_store(&x, 1);
#endif
  pthread_create(&t[0], 0, writer, 0);
  pthread_create(&t[1], 0, reader, 0);
  for (int i = 0; i < 2; ++i) pthread_join(t[i], 0);
#ifdef SEEN
  assert(mine == 2);
#endif
  return 0;
}
#else
struct node {
  int value;
  _Atomic(struct node*) next;
};
static _Atomic(struct node*) top;
static void push(int v) {
  struct node* n = malloc(sizeof *n);
  n->value = v;
  for (;;) {
    struct node* t = atomic_load_explicit(&top, memory_order_acquire);
    atomic_store_explicit(&n->next, t, memory_order_relaxed);
    if (atomic_compare_exchange_strong_explicit(&top, &t, n, memory_order_release, memory_order_relaxed)) return;
  }
}
static int pop(void) {
  for (;;) {
    struct node* t = atomic_load_explicit(&top, memory_order_acquire);
    if (!t) return 0;
    struct node* next = atomic_load_explicit(&t->next, memory_order_relaxed);
    if (atomic_compare_exchange_strong_explicit(&top, &t, next, memory_order_acquire, memory_order_relaxed))
      return t->value;
  }
}
static void* writer(void* v) {
  push(*(int*)v);
  return 0;
}
static void* reader(void* v) {
  pop();
  return v;
}
int main(void) {
  static int v[2] = {1, 2};
  pthread_t t[3];
  pthread_create(&t[0], 0, writer, &v[0]);
  pthread_create(&t[1], 0, writer, &v[1]);
  pthread_create(&t[2], 0, reader, 0);
  for (int i = 0; i < 3; ++i) pthread_join(t[i], 0);
  return 0;
}
#endif
