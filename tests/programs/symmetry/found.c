// Symmetric threads are found: same function and argument, or an argument that is not used. What would tell them apart
// ends it: N! executions instead of one. ATOMIC_BETWEEN: the four increments of x in all orders in which main's comes
// before those of the threads that it creates later, 4!/3. JOIN_APART: 2 * (3 + 2 + 1), by the place of the first
// thread's increment and the one that main reads.
// $ heddle check found.c => verified, 1 executions
// $ heddle check --no-symmetry found.c => verified, 6 executions
// $ heddle check found.c -- -DSAME_ARGUMENT => verified, 1 executions
// $ heddle check found.c -- -DARGUMENT_USED => verified, 6 executions
// $ heddle check found.c -- -DWRITE_BETWEEN => verified, 1 executions
// $ heddle check found.c -- -DWRITE_BETWEEN -DSECOND_READS => error race
// $ heddle check found.c -- -DHANDLE -DSECOND_READS => error race
// $ heddle check found.c -- -DREAD_BETWEEN_JOINS => error race
// $ heddle check found.c -- -DATOMIC_BETWEEN => verified, 8 executions
// $ heddle check found.c -- -DSELF => verified, 6 executions
// $ heddle check found.c -- -DRESULT => verified, 6 executions
// $ heddle check --verbose found.c -- -DRESULT => exit 0, "no symmetry but what is declared: the result of a thread"
// $ heddle check --symmetry found.c -- -DRESULT => error symmetry
// $ heddle check found.c -- -DJOIN_APART => verified, 12 executions
// $ heddle check --symmetry found.c -- -DJOIN_APART => error symmetry
// $ heddle check --model sc found.c => verified, 1 executions
// $ heddle check --model tso found.c => verified, 1 executions
// $ heddle check --model pso found.c => verified, 1 executions
// $ heddle check --model ra found.c => verified, 1 executions
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int x, y;
static int plain;
static int data[3];
static long first;
static _Thread_local long mine;
static pthread_t handles[3];

struct node {
  atomic_int value;
  int other;
};

static void* work(void* arg) {
  // Filling in memory of one's own, also by atomic stores, does not end the symmetry.
  struct node* n = malloc(sizeof *n);
  atomic_store(&n->value, 1);
  n->other = 2;
#ifdef ARGUMENT_USED
  data[(long)arg] = n->other;
#else
  (void)arg;
#endif
#ifdef SELF
  if (pthread_self() == 0) return NULL;
#endif
  const int before = atomic_fetch_add_explicit(&x, atomic_load(&n->value), memory_order_relaxed);
  free(n);
  // Ordered for the thread that was created last, not for those before.
#ifdef SECOND_READS
#ifdef HANDLE
  if (before == 2) mine = handles[2];
#else
  if (before == 2) mine = plain;
#endif
#endif
  // Ordered for the thread that is joined first, not for the others.
  if (before == 0) first = 1;
  return NULL;
}

int main(void) {
#ifdef HANDLE
  pthread_t* t = handles;
#else
  pthread_t t[3];
#endif
  for (long i = 0; i < 3; ++i) {
#ifdef SAME_ARGUMENT
    pthread_create(&t[i], NULL, work, data);
#else
    pthread_create(&t[i], NULL, work, (void*)i);
#endif
#ifdef WRITE_BETWEEN
    plain = (int)i;
#endif
#ifdef ATOMIC_BETWEEN
    if (i == 0) atomic_fetch_add(&x, 1);
    if (i == 1) atomic_fetch_add(&y, 1);
#endif
  }
#ifdef RESULT
  void* result;
  for (int i = 0; i < 3; ++i) pthread_join(t[i], &result);
#elif defined JOIN_APART
  pthread_join(t[0], NULL);
  int before = atomic_load(&x);
  pthread_join(t[1], NULL);
  pthread_join(t[2], NULL);
  return before == 0;
#elif defined READ_BETWEEN_JOINS
  pthread_join(t[0], NULL);
  plain = (int)first;
  pthread_join(t[1], NULL);
  pthread_join(t[2], NULL);
#else
  for (int i = 0; i < 3; ++i) pthread_join(t[i], NULL);
#endif
  return plain < 0 || mine < 0;
}
