// Nodes are filled in plainly and published with a release store; the reader walks them after an acquire load.
// $ heddle check linked_list.c => verified, 3 executions
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
  int value;
  struct node* next;
};
static _Atomic(struct node*) head;

static void* writer(void* arg) {
  struct node* last = NULL;
  for (int i = 1; i <= 2; ++i) {
    struct node* n = malloc(sizeof *n);
    n->value = i;
    n->next = last;
    atomic_store_explicit(&head, n, memory_order_release);
    last = n;
  }
  return arg;
}

static void* reader(void* arg) {
  int expected = 0, length = 0;
  for (struct node* n = atomic_load_explicit(&head, memory_order_acquire); n; n = n->next) {
    if (!expected) expected = n->value;
    assert(n->value == expected - length++);
  }
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, writer, NULL);
  pthread_create(&b, NULL, reader, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
