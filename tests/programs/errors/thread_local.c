// thread_local variables have an owner.
// $ heddle check thread_local.c => error assertion here
// $ heddle check thread_local.c => exit 1, "write(sc) T2's box = 9"
// $ heddle check thread_local.c -- -DGONE => error memory, "in T1's box, which has ended with its thread"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef GONE
typedef int value;
#else
typedef atomic_int value;
#endif

_Thread_local value box;
_Atomic(value*) published[2];
atomic_int over;

void* worker(void* arg) {
  const long i = (long)arg;
  box = (int)i + 1;
  atomic_store(&published[i], &box);
#ifndef GONE
  assert(box == i + 1);  // here
  while (!atomic_load(&over)) {
  }
#endif
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, (void*)0);
  pthread_create(&b, 0, worker, (void*)1);
#ifdef GONE
  pthread_join(a, 0);
  *published[0] = 9;
  return 0;
#endif
  value* other = atomic_load(&published[1]);
  if (other) *other = 9;
  atomic_store(&over, 1);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
