// The stack of Treiber, whose nodes are freed through hazard pointers.
// $ heddle check treiber.c => verified, 4 executions
// $ heddle check --model sc treiber.c => verified, 4 executions
// $ heddle check --model tso treiber.c => verified, 4 executions
// $ heddle check --model pso treiber.c => verified, 4 executions
// $ heddle check --model ra treiber.c => verified, 4 executions
// $ heddle check --races ignore treiber.c => verified
// $ heddle check treiber.c -- -DUNPROTECTED => error memory here
// $ heddle check --model sc treiber.c -- -DUNPROTECTED => error memory here
// $ heddle check --model tso treiber.c -- -DUNPROTECTED => error memory here
// $ heddle check --model pso treiber.c -- -DUNPROTECTED => error memory here
// $ heddle check --model ra treiber.c -- -DUNPROTECTED => error memory here
// $ heddle check --races ignore treiber.c -- -DUNPROTECTED => error memory here
// $ heddle check treiber.c -- -DCLEAR_EARLY => error memory here, "retired"
// $ heddle check --model sc treiber.c -- -DCLEAR_EARLY => error memory here, "retired"
// $ heddle check --races ignore treiber.c -- -DCLEAR_EARLY => error memory here, "retired"
// $ heddle check treiber.c -- -DFREE => error memory
// $ heddle check treiber.c -- -DRETIRE_TWICE => error memory here, "double retire"
// $ heddle check treiber.c -- -DUSE_AFTER => error memory here, "is retired"
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
  int value;
  struct node* next;
};

static _Atomic(struct node*) top;

static void push(int value) {
  struct node* n = malloc(sizeof *n);
  n->value = value;
  n->next = atomic_load_explicit(&top, memory_order_relaxed);
  while (!atomic_compare_exchange_strong_explicit(&top, &n->next, n, memory_order_release, memory_order_relaxed)) {
  }
}

static int pop(heddle_hp_t* hp) {
  for (;;) {
#ifdef UNPROTECTED
    struct node* n = atomic_load_explicit(&top, memory_order_acquire);
#else
    struct node* n = heddle_hp_protect(hp, &top);
#endif
    if (n == NULL) return 0;
#ifdef CLEAR_EARLY
    heddle_hp_clear(hp);
#endif
    struct node* next = n->next;  // here
    struct node* expected = n;
    if (!atomic_compare_exchange_strong(&top, &expected, next)) continue;
    const int value = n->value;
    heddle_hp_clear(hp);
#ifdef FREE
    free(n);
#else
    heddle_hp_retire(n);
#endif
#ifdef RETIRE_TWICE
    heddle_hp_retire(n);  // here
#endif
#ifdef USE_AFTER
    return n->value;  // here
#endif
    return value;
  }
}

static heddle_hp_t hps[2];
static int got[2];

static void* popper(void* arg) {
  const long me = (long)arg;
  got[me] = pop(&hps[me]);
  return NULL;
}

int main(void) {
  push(1);
  push(2);
  pthread_t t[2];
  for (long i = 0; i < 2; ++i) pthread_create(&t[i], NULL, popper, (void*)i);
  for (long i = 0; i < 2; ++i) pthread_join(t[i], NULL);
  assert(got[0] + got[1] == 3);
  return 0;
}
