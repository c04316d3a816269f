// The tail of a queue that others may advance, and what is wrong with helping elsewhere.
// $ heddle check helping.c => verified, 2 executions
// $ heddle check --no-helping helping.c => verified, 3 executions
// $ heddle check helping.c -- -DGENMC => verified, 2 executions
// $ heddle check --model sc helping.c => verified, 2 executions
// $ heddle check --model ra helping.c => verified, 2 executions
// $ heddle check --model tso helping.c => verified, 3 executions
// $ heddle check helping.c -- -DRELAXED => error annotation, "must be a release"
// $ heddle check helping.c -- -DOTHER_VALUE => error annotation, "no operation marked as helped fits"
// $ heddle check helping.c -- -DSTORE => error annotation, "stores; it may only read and then do one cas"
// $ heddle check helping.c -- -DNO_CAS => error annotation, "must end with a cas"
// $ heddle check helping.c -- -DNESTED => error annotation, "cannot contain each other"
// $ heddle check helping.c -- -DFOLLOWS => error annotation, "must find all it needs by its arguments"
// $ heddle check helping.c -- -DRACE => error race
// $ heddle check helping.c -- -DDEPENDS => error annotation, "must not depend on the values that it reads"
// $ heddle check helping.c -- -DBRANCHES => error annotation, "must not depend on the values that it reads"
// $ heddle check helping.c -- -DSTOPS => error annotation, "must not stop the thread"
// $ heddle check helping.c -- -DENDS => error annotation, "must not end the thread"
// $ heddle check --spurious-cas helping.c => verified, 3 executions
// $ heddle check --no-helping helping.c -- -DSTORE => verified
#include <genmc.h>
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

struct node {
  _Atomic(struct node*) next;
};
static struct node dummy;
static _Atomic(struct node*) tail = &dummy;

#ifdef RELAXED
#define LINK memory_order_relaxed
#else
#define LINK memory_order_release
#endif

#ifdef GENMC
#define HELPED __VERIFIER_helped_CAS
#define HELPING(x) ((void)__VERIFIER_helping_CAS(((x), true)))
#else
#define HELPED heddle_helped
#define HELPING heddle_helping
#endif

static bool advance(struct node* from, struct node* to) {
  return atomic_compare_exchange_strong_explicit(&tail, &from, to, memory_order_release, memory_order_relaxed);
}

static void* enqueue(void* arg) {
  struct node* node = malloc(sizeof *node);
  atomic_init(&node->next, NULL);
  struct node* t = atomic_load_explicit(&tail, memory_order_acquire);
  struct node* expected = NULL;
  if (atomic_compare_exchange_strong_explicit(&t->next, &expected, node, LINK, memory_order_relaxed))
    HELPED(advance(t, node));
  return arg;
}

static void body(struct node* t, struct node* next) {
#ifdef STORE
  atomic_store(&tail, next);
#elif defined NO_CAS
  (void)atomic_load(&tail);
#elif defined NESTED
  heddle_helping(advance(t, next));
#elif defined FOLLOWS
  struct node* n = atomic_load(&dummy.next);
  advance(t, atomic_load(&n->next));
#elif defined DEPENDS
  advance(atomic_load(&tail), next);
#elif defined BRANCHES
  if (atomic_load(&tail) == t) advance(t, next);
#elif defined STOPS
  heddle_assume(false);
#elif defined ENDS
  pthread_exit(NULL);
#elif defined OTHER_VALUE
  advance(t, t);
#else
  advance(t, next);
#endif
  (void)t;
  (void)next;
}

static void* help(void* arg) {
  struct node* t = &dummy;
  struct node* next = atomic_load_explicit(&t->next, memory_order_acquire);
  if (next != NULL) HELPING(body(t, next));
  return arg;
}

#ifdef RACE
static void* peek(void* arg) { return *(struct node**)(void*)&tail == NULL ? NULL : arg; }
#endif

int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], NULL, enqueue, NULL);
  pthread_create(&t[1], NULL, help, NULL);
#ifdef RACE
  pthread_create(&t[2], NULL, peek, NULL);
  pthread_join(t[2], NULL);
#endif
  pthread_join(t[0], NULL);
  pthread_join(t[1], NULL);
  return 0;
}
