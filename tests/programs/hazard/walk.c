// Two links of a list. The second protect reads the pointer to a node from a node that may be unlinked itself: then the
// node that it points to may be retired already, unless the reader looks at the head of the list again.
// $ heddle check walk.c -- -DVALIDATE => verified
// $ heddle check --model sc walk.c -- -DVALIDATE => verified
// $ heddle check --model tso walk.c -- -DVALIDATE => verified
// $ heddle check --model pso walk.c -- -DVALIDATE => verified
// $ heddle check --model ra walk.c -- -DVALIDATE => verified
// $ heddle check walk.c => error memory here, "too late"
// $ heddle check --model sc walk.c => error memory here, "too late"
// $ heddle check --model tso walk.c => error memory here, "too late"
// $ heddle check --model pso walk.c => error memory here, "too late"
// $ heddle check --model ra walk.c => error memory here, "too late"
// $ heddle check walk.c -- -DATOMIC => error memory here, "too late"
// $ heddle check walk.c -- -DATOMIC -DVALIDATE => verified
// $ heddle check walk.c -- -DONE_POINTER -DVALIDATE => error memory
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
#ifdef ATOMIC
  atomic_int value;
#else
  int value;
#endif
  _Atomic(struct node*) next;
};

static _Atomic(struct node*) head;

static void* reader(void* arg) {
  heddle_hp_t first = {0};
  struct node* a = heddle_hp_protect(&first, &head);
  if (a == NULL) return arg;
#ifdef ONE_POINTER
  struct node* b = heddle_hp_protect(&first, &a->next);
#else
  heddle_hp_t second = {0};
  struct node* b = heddle_hp_protect(&second, &a->next);
#endif
#ifdef VALIDATE
  if (atomic_load(&head) != a) return arg;
#endif
  if (b != NULL) assert(b->value == 2);  // here
  return arg;
}

static void* remover(void* arg) {
  for (int i = 0; i < 2; ++i) {
    struct node* n = atomic_load(&head);
    atomic_store(&head, atomic_load(&n->next));
    heddle_hp_retire(n);
  }
  return arg;
}

int main(void) {
  for (int i = 2; i > 0; --i) {
    struct node* n = malloc(sizeof *n);
    atomic_init(&n->next, atomic_load(&head));
    n->value = i;
    atomic_store(&head, n);
  }
  pthread_t r, w;
  pthread_create(&r, NULL, reader, NULL);
  pthread_create(&w, NULL, remover, NULL);
  pthread_join(r, NULL);
  pthread_join(w, NULL);
  return 0;
}
