// A sorted list with a spin lock in each node: whoever walks takes the next lock before giving the last one back.
// $ heddle check hand_over_hand.c => verified, 2 executions
// $ heddle check --model sc hand_over_hand.c => verified, 2 executions
// $ heddle check --model tso hand_over_hand.c => verified, 2 executions
// $ heddle check --model ra hand_over_hand.c => verified, 2 executions
// $ heddle check --algorithm rcmc hand_over_hand.c => verified, 2 executions
// $ heddle check --algorithm await --model sc hand_over_hand.c => verified, 2 executions
// $ heddle check hand_over_hand.c -- -DWEAK => error race
// $ heddle check --algorithm rcmc hand_over_hand.c -- -DWEAK => error race
// Between two nodes, no lock is held:
// $ heddle check hand_over_hand.c -- -DHASTY => error memory
// $ heddle check --model tso hand_over_hand.c -- -DHASTY => error memory
// $ heddle check --algorithm await --model sc hand_over_hand.c -- -DHASTY => error memory
// $ heddle check --model sc hand_over_hand.c -- -DHASTY => error memory
#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef WEAK
#define RELEASE memory_order_relaxed
#else
#define RELEASE memory_order_release
#endif

struct node {
  int key;
  struct node* next;
  atomic_flag lock;
};
static struct node* list;

static struct node* make(int key, struct node* next) {
  struct node* n = malloc(sizeof *n);
  n->key = key;
  n->next = next;
  atomic_flag_clear(&n->lock);
  return n;
}

static void lock(struct node* n) {
  while (atomic_flag_test_and_set_explicit(&n->lock, memory_order_acquire)) {
  }
}

static void unlock(struct node* n) { atomic_flag_clear_explicit(&n->lock, RELEASE); }

// Returns the last node before the key, locked; so is the one after it.
static struct node* find(int key) {
  struct node* before = list;
  lock(before);
  lock(before->next);
  while (before->next->key < key) {
    struct node* n = before->next;
#ifdef HASTY
    unlock(n);
#endif
    unlock(before);
#ifdef HASTY
    lock(n);
#endif
    before = n;
    lock(before->next);
  }
  return before;
}

static void add(int key) {
  struct node* before = find(key);
  struct node* after = before->next;
  if (after->key != key) before->next = make(key, after);
  unlock(before);
  unlock(after);
}

static void delete (int key) {
  struct node* before = find(key);
  struct node* n = before->next;
  if (n->key == key) {
    before->next = n->next;
    unlock(before);
    free(n);
  } else {
    unlock(before);
    unlock(n);
  }
}

static void* adder(void* arg) {
  add(2);
  return arg;
}

static void* deleter(void* arg) {
  delete (1);
  return arg;
}

int main(void) {
  pthread_t a, d;
  list = make(INT_MIN, make(1, make(INT_MAX, 0)));
  pthread_create(&a, 0, adder, 0);
  pthread_create(&d, 0, deleter, 0);
  pthread_join(a, 0);
  pthread_join(d, 0);
  assert(list->next->key == 2 && list->next->next->key == INT_MAX);
  return 0;
}
