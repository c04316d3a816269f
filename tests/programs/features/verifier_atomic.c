// __VERIFIER_atomic_begin and _end make a section atomic with respect to the others.
// $ heddle check --no-symmetry verifier_atomic.c => verified, 2 executions
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static int x;

static void* f(void* arg) {
  __VERIFIER_atomic_begin();
  ++x;
  __VERIFIER_atomic_end();
  return arg;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, NULL, f, NULL);
  pthread_create(&u, NULL, f, NULL);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  assert(x == 2);
  return 0;
}
