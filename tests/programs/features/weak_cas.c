// A weak compare-exchange fails spuriously only under --spurious-cas.
// $ heddle check weak_cas.c => verified, 1 executions
// $ heddle check --spurious-cas weak_cas.c => error assertion here
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void* f(void* arg) {
  int expected = 0;
  assert(atomic_compare_exchange_weak(&x, &expected, 1));  // here
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, f, NULL);
  pthread_join(t, NULL);
  return 0;
}
