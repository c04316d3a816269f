// The queue of Michael and Scott with its retry loops; the consumer waits until there is something.
// $ heddle check ms_queue.c => verified, 30 executions
// $ heddle check --model sc ms_queue.c => verified, 30 executions
// $ heddle check --model tso ms_queue.c => verified, 30 executions
// $ heddle check --model ra ms_queue.c => verified, 30 executions
// $ heddle check --algorithm rcmc ms_queue.c => verified, 30 executions
// $ heddle check --algorithm await --model sc ms_queue.c => verified, 30 executions
// $ heddle check ms_queue.c -- -DWEAK => error race
// $ heddle check --algorithm rcmc ms_queue.c -- -DWEAK => error race
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef WEAK
#define RELEASE memory_order_relaxed
#else
#define RELEASE memory_order_release
#endif

struct node {
  int value;
  _Atomic(struct node*) next;
};
static _Atomic(struct node*) head, tail;

static struct node* make(int value) {
  struct node* n = malloc(sizeof *n);
  n->value = value;
  atomic_init(&n->next, 0);
  return n;
}

static void enqueue(int value) {
  struct node* n = make(value);
  struct node* t;
  for (;;) {
    t = atomic_load_explicit(&tail, memory_order_acquire);
    struct node* next = atomic_load_explicit(&t->next, memory_order_acquire);
    if (t != atomic_load_explicit(&tail, memory_order_acquire)) continue;
    if (next) {
      atomic_compare_exchange_strong_explicit(&tail, &t, next, memory_order_release, memory_order_relaxed);
    } else if (atomic_compare_exchange_strong_explicit(&t->next, &next, n, RELEASE, memory_order_relaxed)) {
      break;
    }
  }
  atomic_compare_exchange_strong_explicit(&tail, &t, n, memory_order_release, memory_order_relaxed);
}

static int dequeue(int* value) {
  for (;;) {
    struct node* h = atomic_load_explicit(&head, memory_order_acquire);
    struct node* t = atomic_load_explicit(&tail, memory_order_acquire);
    struct node* next = atomic_load_explicit(&h->next, memory_order_acquire);
    if (h != atomic_load_explicit(&head, memory_order_acquire)) continue;
    if (!next) return 0;
    if (h == t) {
      atomic_compare_exchange_strong_explicit(&tail, &t, next, memory_order_release, memory_order_relaxed);
      continue;
    }
    *value = next->value;
    if (atomic_compare_exchange_strong_explicit(&head, &h, next, memory_order_release, memory_order_relaxed)) return 1;
  }
}

static void* producer(void* arg) {
  enqueue((int)(long)arg);
  return 0;
}

int main(void) {
  pthread_t a, b;
  struct node* dummy = make(0);
  atomic_init(&head, dummy);
  atomic_init(&tail, dummy);
  pthread_create(&a, 0, producer, (void*)1);
  pthread_create(&b, 0, producer, (void*)2);
  int first, second;
  while (!dequeue(&first)) {
  }
  while (!dequeue(&second)) {
  }
  assert(first + second == 3);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
