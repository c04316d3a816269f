// Retry loops: a failed compare-exchange begins anew with what it has read. A failed first try is the same as to come
// later, unless it asks for less order than the first look; so there is one execution for each order of the threads.
// $ heddle check --no-symmetry retry.c => verified, 24 executions
// $ heddle check --model sc --no-symmetry retry.c => verified, 24 executions
// $ heddle check --model tso --no-symmetry retry.c => verified, 24 executions
// $ heddle check --model ra --no-symmetry retry.c => verified, 24 executions
// $ heddle check retry.c -- -DADD -DN=8 => verified, 1 executions, 0 blocked
// $ heddle check --algorithm rcmc retry.c => verified, 24 executions
// $ heddle check --algorithm await --model sc retry.c => verified, 24 executions
// $ heddle check --no-await --no-symmetry retry.c -- -DN=3 => verified, 48 executions
// $ heddle check --no-retries --no-symmetry retry.c -- -DN=3 => verified, 48 executions
// $ heddle check --no-symmetry retry.c -- -DRELOAD => verified, 24 executions
// $ heddle check --algorithm rcmc retry.c -- -DRELOAD => verified, 24 executions
// $ heddle check --algorithm await --model sc retry.c -- -DRELOAD => verified, 24 executions
// $ heddle check --no-symmetry retry.c -- -DADD => verified, 24 executions
// $ heddle check --algorithm await --model sc retry.c -- -DADD => verified, 24 executions
// $ heddle check --races ignore --no-symmetry retry.c -- -DN=3 => verified, 48 executions
// $ heddle check retry.c -- -DPOP => verified
// $ heddle check --algorithm rcmc retry.c -- -DPOP => verified
// $ heddle check retry.c -- -DPOP -DWEAK => error race
// $ heddle check --algorithm rcmc retry.c -- -DPOP -DWEAK => error race
// $ heddle check retry.c -- -DSEEN => error race
// $ heddle check retry.c -- -DLOST => error assertion
// $ heddle check --algorithm await --model sc retry.c -- -DLOST => error assertion
// $ heddle check --time-limit 600 retry.c -- -DNEVER => error livelock
// Where not everything was looked at, no assumption is blamed.
// $ heddle check --algorithm rcmc --max-executions 1000 retry.c -- -DADD -DN=8 => incomplete, no "no execution is complete"
// $ heddle check --any-error --keep-going retry.c => exit 2, "leave out --any-error"
// $ heddle check retry.c -- -DALIAS => error assertion
// $ heddle check --algorithm rcmc retry.c -- -DALIAS => error assertion
// $ heddle check --algorithm await --model sc retry.c -- -DALIAS => error assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 4
#endif

struct node {
  struct node* next;
};
static struct node nodes[N];
static _Atomic(struct node*) top;
static atomic_int sum;

static void push(struct node* n) {
#if defined(RELOAD)
  for (;;) {
    struct node* t = atomic_load_explicit(&top, memory_order_relaxed);
    n->next = t;
    if (atomic_compare_exchange_weak_explicit(&top, &t, n, memory_order_release, memory_order_relaxed)) break;
  }
#elif defined(NEVER)
  for (;;) {
    struct node* t = atomic_load_explicit(&top, memory_order_relaxed);
    n->next = t;
    t = n;
    if (atomic_compare_exchange_strong(&top, &t, n)) break;
  }
#else
  struct node* t = atomic_load_explicit(&top, memory_order_relaxed);
#ifdef LOST
  struct node* const first = t;  // what it has seen is not what it expects
#endif
  do n->next = t;
  while (!atomic_compare_exchange_weak_explicit(&top, &t, n, memory_order_release, memory_order_relaxed));
#ifdef LOST
  assert(first == n->next);
#endif
#endif
}

#ifdef WEAK
#define FAILED memory_order_relaxed
#else
#define FAILED memory_order_acquire
#endif

static int pop(void) {
  struct node* t = atomic_load_explicit(&top, memory_order_acquire);
  while (t != NULL && !atomic_compare_exchange_weak_explicit(&top, &t, t->next, memory_order_acquire, FAILED)) {
  }
  return t != NULL;
}

static void add(int n) {
  int v = atomic_load_explicit(&sum, memory_order_relaxed);
  while (!atomic_compare_exchange_weak_explicit(&sum, &v, v + n, memory_order_relaxed, memory_order_relaxed)) {
  }
}

static void* work(void* node) {
#if defined(ADD)
  add(1);
  (void)node;
#else
  push(node);
#endif
  return NULL;
}

static void* take(void* unused) {
  if (pop()) add(1);
  return unused;
}

// The place that each round stores to is the location itself.
static void* overwrite(void* place) {
  int* const p = place;
  int v = atomic_load(&sum);
  do *p = 7;
  while (!atomic_compare_exchange_strong(&sum, &v, 9));
  assert(v != 7);
  return NULL;
}

static void* look(void* unused) {
  add(nodes[0].next != NULL);
  return unused;
}

int main(void) {
  pthread_t t[N];
#if defined(POP)
  pthread_create(&t[0], NULL, work, &nodes[0]);
  pthread_create(&t[1], NULL, work, &nodes[1]);
  pthread_create(&t[2], NULL, take, NULL);
  for (int i = 0; i < 3; i++) pthread_join(t[i], NULL);
  assert(pop() + pop() + sum == 2);
#elif defined(ALIAS)
  pthread_create(&t[0], NULL, overwrite, (void*)&sum);
  pthread_join(t[0], NULL);
#elif defined(SEEN)
  pthread_create(&t[0], NULL, work, &nodes[0]);
  pthread_create(&t[1], NULL, look, NULL);
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
#else
  for (int i = 0; i < N; i++) pthread_create(&t[i], NULL, work, &nodes[i]);
  for (int i = 0; i < N; i++) pthread_join(t[i], NULL);
#ifdef ADD
  assert(sum == N);
#endif
#endif
  (void)take;
  (void)look;
  (void)overwrite;
  return 0;
}
