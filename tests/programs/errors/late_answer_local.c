// A job on the stack of its thread is gone as soon as it is taken, but whoever takes it answers afterwards, by an atomic
// write. The end of a local is no step: it is found whichever thread runs first, in every algorithm; also if only late
// executions have it, and if the owner's last step is an access of the variable.
// $ heddle check late_answer_local.c => error memory here, "goes out of scope while T1 (serve) may still use it"
// $ heddle check late_answer_local.c -- -DTURNED => error memory late, "which has gone out of scope"
// $ heddle check late_answer_local.c --algorithm rcmc => error memory here
// $ heddle check late_answer_local.c --model sc => error memory here
// $ heddle check late_answer_local.c --model sc --algorithm await => error memory late
// $ heddle check late_answer_local.c --model sc --algorithm rvf => error memory late
// $ heddle check late_answer_local.c -- -DPER_THREAD => error memory last, "T2's done ends with its thread while T1 (serve) may still use it"
// $ heddle check late_answer_local.c --model sc --algorithm await -- -DPER_THREAD => error memory late
// $ heddle check late_answer_local.c -- -DRARELY => error memory here
// $ heddle check late_answer_local.c --algorithm rcmc -- -DRARELY => error memory here
// $ heddle check late_answer_local.c -- -DWAITS => verified
// $ heddle check late_answer_local.c --model sc --algorithm await -- -DWAITS => verified
// $ heddle check late_answer_local.c --model sc --algorithm rvf -- -DWAITS => verified
#include <pthread.h>
#include <stdatomic.h>

_Atomic(atomic_int*) slot;
atomic_int a, b;
#ifdef PER_THREAD
_Thread_local atomic_int done;
#endif

void* submit(void* arg) {
#ifndef PER_THREAD
  atomic_int done = 0;
#endif
  atomic_store(&a, 1);
  atomic_store(&b, 1);
  atomic_store(&slot, &done);
#ifdef WAITS
  while (!atomic_load(&done)) {}
#else
  while (atomic_load(&slot)) {}
  if (atomic_load(&done)) return 0;  // last
#endif
  return arg;
}  // here

void* serve(void* arg) {
  const int first = atomic_load(&b);
  const int second = atomic_load(&a);
  atomic_int* s;
  while (!(s = atomic_load(&slot))) {}
#ifdef RARELY
  if (first == 1 || second == 0) {
    atomic_store(s, 1);
    atomic_store(&slot, 0);
    return arg;
  }
#endif
  atomic_store(&slot, 0);
  atomic_store(s, first + second + 1);  // late
  return arg;
}

int main(void) {
  pthread_t s, t;
#ifdef TURNED
  pthread_create(&s, 0, submit, 0);
  pthread_create(&t, 0, serve, 0);
#else
  pthread_create(&t, 0, serve, 0);
  pthread_create(&s, 0, submit, 0);
#endif
  pthread_join(s, 0);
  pthread_join(t, 0);
  return 0;
}
