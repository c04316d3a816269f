// A thread-local variable is there from the start of its thread, whenever it is used first: a thread that is created
// later need not be told of it in order. One that was there before must be.
// $ heddle check thread_local_start.c => verified
// $ heddle check thread_local_start.c --model sc --algorithm await => verified
// $ heddle check thread_local_start.c --model sc --algorithm rvf => verified
// $ heddle check thread_local_start.c -- -DBEFORE => error race here, "allocates"
// $ heddle check thread_local_start.c --model sc --algorithm rvf -- -DBEFORE => error race here
#include <pthread.h>
#include <stdatomic.h>

_Thread_local atomic_int box;
_Atomic(atomic_int*) slot;

void* user(void* arg) {
  atomic_int* p = atomic_load_explicit(&slot, memory_order_relaxed);
  if (p) atomic_store_explicit(p, 1, memory_order_relaxed);  // here
  return arg;
}

pthread_t t;

void* owner(void* arg) {
#ifndef BEFORE
  pthread_create(&t, 0, user, 0);
#endif
  atomic_store_explicit(&slot, &box, memory_order_relaxed);
  pthread_join(t, 0);
  atomic_store(&slot, 0);
  return arg;
}

int main(void) {
  pthread_t s;
#ifdef BEFORE
  pthread_create(&t, 0, user, 0);
#endif
  pthread_create(&s, 0, owner, 0);
  pthread_join(s, 0);
#ifndef BEFORE
  owner(0);
#endif
  return 0;
}
