// Threads that create threads, in an order that depends on the execution: which of them heddle meets first differs from
// one part of the exploration to the next, and so do their numbers, but not their names, handles and addresses.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int turn;
static _Atomic(int*) slots[2];
static _Atomic(pthread_t) owner;

static void* leaf(void* argument) {
  int* mine = malloc(sizeof *mine);
  *mine = (int)(long)argument;
  atomic_store(&owner, pthread_self());
  int* old = atomic_exchange(&slots[(long)argument % 2], mine);
  assert(old != mine);
  return NULL;
}

static void* branch(void* argument) {
  const long number = (long)argument;
  const int seen = atomic_fetch_add(&turn, 1);
  pthread_t first, second;
  pthread_create(&first, NULL, leaf, (void*)number);
  if (seen == 1) {
    pthread_create(&second, NULL, leaf, (void*)(number + 2));
    pthread_join(second, NULL);
  }
  pthread_join(first, NULL);
  return NULL;
}

int main(void) {
  pthread_t branches[2];
  for (long i = 0; i < 2; ++i) pthread_create(&branches[i], NULL, branch, (void*)i);
  for (long i = 0; i < 2; ++i) pthread_join(branches[i], NULL);
  return 0;
}
