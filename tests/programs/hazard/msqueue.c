// The queue of Michael and Scott with hazard pointers, as in Michael's paper (TPDS 2004, figure 6).
// $ heddle check msqueue.c => verified
// $ heddle check --model sc msqueue.c => verified
// $ heddle check --model tso msqueue.c => verified
// $ heddle check --model pso msqueue.c => verified
// $ heddle check --model ra msqueue.c => verified
// $ heddle check msqueue.c -- -DNO_CHECK => error memory here
// $ heddle check --model sc msqueue.c -- -DNO_CHECK => error memory here
// $ heddle check msqueue.c -- -DNO_TAIL => error memory
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
  int value;
  _Atomic(struct node*) next;
};

static _Atomic(struct node*) head;
static _Atomic(struct node*) tail;

#define load(p) atomic_load_explicit(p, memory_order_acquire)

static _Bool cas(_Atomic(struct node*)* p, struct node* expected, struct node* desired) {
  return atomic_compare_exchange_strong_explicit(p, &expected, desired, memory_order_acq_rel, memory_order_acquire);
}

static void enqueue(heddle_hp_t* hp, int value) {
  struct node* n = malloc(sizeof *n);
  n->value = value;
  atomic_init(&n->next, NULL);
  for (;;) {
#ifdef NO_TAIL
    struct node* t = load(&tail);
#else
    struct node* t = heddle_hp_protect(hp, &tail);
#endif
    struct node* next = load(&t->next);
    if (next != NULL) {
      cas(&tail, t, next);
    } else if (cas(&t->next, NULL, n)) {
      cas(&tail, t, n);
      break;
    }
  }
  heddle_hp_clear(hp);
}

static int dequeue(heddle_hp_t* hp) {
  for (;;) {
    struct node* h = heddle_hp_protect(&hp[0], &head);
    struct node* t = load(&tail);
    struct node* next = heddle_hp_protect(&hp[1], &h->next);
#ifndef NO_CHECK
    if (load(&head) != h) continue;
#endif
    if (next == NULL) return 0;
    if (h == t) {
      cas(&tail, t, next);
      continue;
    }
    const int value = next->value;  // here
    if (!cas(&head, h, next)) continue;
    heddle_hp_clear(&hp[0]);
    heddle_hp_clear(&hp[1]);
    heddle_hp_retire(h);
    return value;
  }
}

static heddle_hp_t hps[3][2];
static int sum[3];

static void* one(void* arg) {
  enqueue(hps[1], 1);
  sum[1] = dequeue(hps[1]) + dequeue(hps[1]);
  enqueue(hps[1], 4);  // who reads this tail knows of the retires before it, but may still stand at an old head
  return arg;
}

static void* two(void* arg) {
  enqueue(hps[2], 2);
  sum[2] = dequeue(hps[2]);
  return arg;
}

int main(void) {
  struct node* n = malloc(sizeof *n);
  atomic_init(&n->next, NULL);
  head = tail = n;
  pthread_t t[2];
  pthread_create(&t[0], NULL, one, NULL);
  pthread_create(&t[1], NULL, two, NULL);
  pthread_join(t[0], NULL);
  pthread_join(t[1], NULL);
  for (int value; (value = dequeue(hps[0])) != 0;) sum[0] += value;
  assert(sum[0] + sum[1] + sum[2] == 7);
  return 0;
}
