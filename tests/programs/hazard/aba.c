// A node is popped, and then pushed again (AGAIN) or replaced by a new one. Hazard pointers prevent ABA only in the
// second case.
// $ heddle check aba.c => verified
// $ heddle check --model sc aba.c => verified
// $ heddle check --model ra aba.c => verified
// $ heddle check aba.c -- -DAGAIN => error memory here
// $ heddle check --model sc aba.c -- -DAGAIN => error memory here
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
  int value;
  _Atomic(struct node*) next;
};

static _Atomic(struct node*) top;

static void push(struct node* n) {
  struct node* next = atomic_load(&top);
  do {
    atomic_store(&n->next, next);
  } while (!atomic_compare_exchange_strong(&top, &next, n));
}

static struct node* make(int value) {
  struct node* n = malloc(sizeof *n);
  n->value = value;
  return n;
}

static struct node* pop(heddle_hp_t* hp) {
  struct node* n = heddle_hp_protect(hp, &top);
  while (n != NULL) {
    struct node* expected = n;
    if (atomic_compare_exchange_strong(&top, &expected, atomic_load(&n->next))) break;  // here
    n = heddle_hp_protect(hp, &top);
  }
  heddle_hp_clear(hp);
  return n;
}

static void* popper(void* arg) {
  heddle_hp_t* hp = heddle_hp_alloc();
  pop(hp);
  pop(hp);
  heddle_hp_free(hp);
  return arg;
}

static void* recycler(void* arg) {
  heddle_hp_t hp = {0};
  struct node* a = pop(&hp);
  struct node* b = pop(&hp);
  if (b != NULL) heddle_hp_retire(b);
  if (a == NULL) return arg;
#ifdef AGAIN
  push(a);
#else
  heddle_hp_retire(a);
  push(make(3));
#endif
  return arg;
}

int main(void) {
  push(make(1));
  push(make(2));
  pthread_t p, r;
  pthread_create(&p, NULL, popper, NULL);
  pthread_create(&r, NULL, recycler, NULL);
  pthread_join(p, NULL);
  pthread_join(r, NULL);
  return 0;
}
