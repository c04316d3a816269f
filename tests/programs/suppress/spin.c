// A loop that waits for a plain variable. It waits, and data is seen as the model has it: a suppressed race orders nothing.
// $ heddle check spin.c => error race
// $ heddle check --suppress flag.supp spin.c => error race, "on data"
// $ heddle check --suppress flag.supp spin.c -- -DATOMIC => verified, 2 executions
// $ heddle check --model sc --algorithm await --suppress flag.supp spin.c -- -DATOMIC => verified, 1 executions
// $ heddle check --model sc --algorithm rvf --suppress flag.supp spin.c -- -DATOMIC => verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef ATOMIC
atomic_int data;
#else
int data;
#endif
volatile int ready;

void* writer(void* argument) {
  data = 1;
  ready = 1;
  return argument;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  while (!ready) {
  }
  int seen = data;
  assert(seen == 0 || seen == 1);
  pthread_join(t, 0);
}
