// A seq_cst store empties the store buffer, as compilers for x86 see to it; a release store does not.
// $ heddle check --model tso dekker_tso.c => verified, 3 executions
// $ heddle check --model pso dekker_tso.c => verified, 3 executions
// $ heddle check --model sc dekker_tso.c => verified, 3 executions
// $ heddle check --model tso dekker_tso.c -- -DSTORE=memory_order_release => error assertion
// $ heddle check --model pso dekker_tso.c -- -DSTORE=memory_order_relaxed => error assertion
// $ heddle check --model tso dekker_tso.c -- -DLOAD=memory_order_relaxed => verified, 3 executions
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef STORE
#define STORE memory_order_seq_cst
#endif
#ifndef LOAD
#define LOAD memory_order_seq_cst
#endif

static atomic_int wants[2];
static int entered[2];

static void enter(int me) {
  atomic_store_explicit(&wants[me], 1, STORE);
  entered[me] = atomic_load_explicit(&wants[1 - me], LOAD) == 0;
}

static void* left(void* unused) {
  enter(0);
  return unused;
}
static void* right(void* unused) {
  enter(1);
  return unused;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, NULL, left, NULL);
  pthread_create(&u, NULL, right, NULL);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  assert(!(entered[0] && entered[1]));
  return 0;
}
