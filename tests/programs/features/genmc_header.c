// Programs written for GenMC's interface run unchanged.
// $ heddle check genmc_header.c => verified, 2 executions
#include <assert.h>
#include <genmc.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void* f(void* arg) {
  atomic_store(&x, 1);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, f, NULL);
  const int seen = atomic_load(&x);
  __VERIFIER_assume(seen == 0 || seen == 1);
  pthread_join(t, NULL);
  assert(x == 1);
  return 0;
}
