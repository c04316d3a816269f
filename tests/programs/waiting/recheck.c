// A look, reads, and a recheck of the look (explore/spore/rechecks.hpp). One look and one recheck: two enqueuers of a
// queue of Michael and Scott, which has 2 orders.
// $ heddle check recheck.c --no-symmetry => verified, 2 executions
// $ heddle check recheck.c --no-symmetry --no-retries => verified, 2 executions
// The value comes back in between: 0, 1, 0. That is seen, and the exploration starts again.
// $ heddle check --verbose recheck.c -- -DABA => error assertion, "a value comes back"
// $ heddle check recheck.c --no-retries -- -DABA => error assertion
// The thread whose recheck would fail reads memory that is freed then.
// $ heddle check recheck.c -- -DFREED => error memory
// $ heddle check recheck.c --no-retries -- -DFREED => error memory
// The same the other way round: which thread comes first makes no difference.
// $ heddle check recheck.c -- -DFREED -DOTHER => error memory
// Who takes the node initialises it anew: a plain write of what the other one has read.
// $ heddle check recheck.c --no-symmetry -- -DREPLACED => error race
// $ heddle check recheck.c --no-symmetry -- -DREPLACED -DOTHER => error race
// $ heddle check recheck.c --no-symmetry --no-retries -- -DREPLACED => error race
// A local variable that has ended.
// $ heddle check recheck.c -- -DENDED => error
// Plain memory is read in between: a race, though the round comes to nothing.
// $ heddle check recheck.c -- -DPLAIN => error race
// $ heddle check recheck.c --no-retries -- -DPLAIN => error race
// The look is no part of the round: the thread waits for a value that does not come back.
// $ heddle check recheck.c -- -DOUTSIDE => error livelock
// $ heddle check recheck.c --no-retries -- -DOUTSIDE => error livelock
// What is read in between is written again: y is 0 or 1 before x is written, then 1 or 2.
// $ heddle check recheck.c --no-symmetry -- -DAGAIN => verified, 4 executions
// $ heddle check recheck.c --no-symmetry --no-retries -- -DAGAIN => verified, 4 executions
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef struct node node;
struct node {
  _Atomic(node*) next;
  atomic_int value;
  int plain;
};
static _Atomic(node*) tail, head;
static atomic_int x, y, z;

#if defined ABA
static int seen;
static void* one(void* p) {
  atomic_store(&x, 1);
  atomic_store(&y, 1);
  atomic_store(&y, 0);
  atomic_store(&x, 0);
  return p;
}
static void look(void) {
  for (;;) {
    int a = atomic_load(&x);
    int b = atomic_load(&y);
    if (atomic_load(&x) != a) continue;
    seen = b * (a == 0);
    return;
  }
}
static void* two(void* p) {
  look();
  assert(!seen);
  return p;
}
static void start(void) {}
#elif defined FREED
// Who takes the node frees it.
static void take(void) {
  for (;;) {
    node* h = atomic_load(&head);
    if (!h) return;
    node* next = atomic_load(&h->next);
    if (!atomic_compare_exchange_strong(&head, &h, next)) continue;
    free(h);
    return;
  }
}
static void* one(void* p) {
  take();
  return p;
}
// Looks without taking.
static void look(void) {
  for (;;) {
    node* h = atomic_load(&head);
    if (!h) return;
    int v = atomic_load(&h->value);
    if (h != atomic_load(&head)) continue;
    assert(v == 7);
    return;
  }
}
static void* two(void* p) {
  look();
  return p;
}
static void start(void) {
  node* n = calloc(1, sizeof *n);
  atomic_init(&n->value, 7);
  head = n;
}
#elif defined REPLACED
static void take(int lists) {
  for (;;) {
    node* h = atomic_load(&head);
    if (!h) return;
    node* next = atomic_load(&h->next);
    if (h != atomic_load(&head)) continue;
    if (!atomic_compare_exchange_strong(&head, &h, next)) continue;
    if (lists) atomic_init(&h->next, h);
    return;
  }
}
static void* one(void* p) {
  take(1);
  return p;
}
static void* two(void* p) {
  take(0);
  return p;
}
static void start(void) { head = calloc(1, sizeof(node)); }
#elif defined ENDED
static _Atomic(atomic_int*) place;
static void* one(void* p) {
  atomic_int mine = 7;
  atomic_store(&place, &mine);
  atomic_store(&place, (atomic_int*)&z);
  return p;
}
static void look(void) {
  for (;;) {
    atomic_int* a = atomic_load(&place);
    if (!a) return;
    int v = atomic_load(a);
    if (a != atomic_load(&place)) continue;
    assert(v == 7 || v == 0);
    return;
  }
}
static void* two(void* p) {
  look();
  return p;
}
static void start(void) {}
#elif defined PLAIN
static int data;
static void* one(void* p) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  data = 1;
  return p;
}
static void look(void) {
  for (;;) {
    int a = atomic_load(&x);
    if (a == 1) return;
    int b = data;
    if (atomic_load(&x) != a) continue;
    assert(b == 0 || b == 1);
    return;
  }
}
static void* two(void* p) {
  look();
  return p;
}
static void start(void) {}
#elif defined OUTSIDE
static void* one(void* p) {
  atomic_store(&x, 1);
  return p;
}
static void* two(void* p) {
  int a = atomic_load(&x);
  while (atomic_load(&x) != a) {
  }
  return p;
}
static void start(void) {}
#elif defined AGAIN
static void* one(void* p) {
  atomic_store(&y, 1);
  atomic_store(&x, 1);
  atomic_store(&y, 2);
  return p;
}
static void look(void) {
  for (;;) {
    int a = atomic_load(&x);
    int b = atomic_load(&y);
    if (atomic_load(&x) != a) continue;
    assert(a == 0 || b >= 1);
    return;
  }
}
static void* two(void* p) {
  look();
  return p;
}
static void start(void) {}
#else
static void put(void) {
  node* n = calloc(1, sizeof *n);
  for (;;) {
    node* t = atomic_load(&tail);
    node* next = atomic_load(&t->next);
    if (t != atomic_load(&tail)) continue;
    if (next) {
      heddle_assume(heddle_helping_cas(atomic_compare_exchange_strong(&tail, &t, next)));
    }
    if (!atomic_compare_exchange_strong(&t->next, &next, n)) continue;
    heddle_helped(atomic_compare_exchange_strong(&tail, &t, n));
    return;
  }
}
static void* one(void* p) {
  put();
  return p;
}
static void* two(void* p) {
  put();
  return p;
}
static void start(void) { tail = calloc(1, sizeof(node)); }
#endif

int main(void) {
  pthread_t a, b;
  start();
#ifdef OTHER
  pthread_create(&b, 0, two, 0);
  pthread_create(&a, 0, one, 0);
#else
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, two, 0);
#endif
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
