// The mark of a helped operation is no event: it does not stand between two SC accesses of one location. So the execution
// in which the assertion fails is one of RC11, with the mark and without.
//
// $ heddle check helped_sc.c => error assertion
// $ heddle check --no-helping helped_sc.c => error assertion
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y;
static int r, s, t;

static void* first(void* a) {
  atomic_store(&x, 1);
  int one = 1;
  heddle_helped(atomic_compare_exchange_strong_explicit(&x, &one, 2, memory_order_acq_rel, memory_order_acquire));
  return a;
}
static void* second(void* a) {
  r = atomic_load_explicit(&x, memory_order_acquire);
  s = atomic_load(&y);
  return a;
}
static void* third(void* a) {
  atomic_store(&y, 1);
  t = atomic_load(&x);
  return a;
}

int main(void) {
  pthread_t p[3];
  pthread_create(&p[0], NULL, first, NULL);
  pthread_create(&p[1], NULL, second, NULL);
  pthread_create(&p[2], NULL, third, NULL);
  for (int i = 0; i < 3; ++i) pthread_join(p[i], NULL);
  assert(!(r == 2 && s == 0 && t == 0));
  return 0;
}
