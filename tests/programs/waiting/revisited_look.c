// A look that is revisited lets another thread go on, which then writes the location: the compare-exchange that confirms
// the look comes before that all the same.
// $ heddle check revisited_look.c => error assertion
// $ heddle check revisited_look.c --model sc => error assertion
// $ heddle check revisited_look.c --model sc --algorithm await => error assertion
// $ heddle check revisited_look.c -- -DRIVAL => error assertion
// $ heddle check revisited_look.c --model sc -- -DRIVAL => error assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y, z;
int r, saw;

void* first(void* arg) {
  while (!atomic_load(&z)) {}
#ifdef RIVAL
  r = atomic_load(&y);
  if (!r) atomic_fetch_add(&x, 100);
#else
  atomic_store(&x, 5);
  r = atomic_load(&y);
#endif
  return arg;
}

void* second(void* arg) {
  int t = atomic_load(&x);
  while (!atomic_compare_exchange_strong(&x, &t, t + 10)) {}
  saw = t;
  return arg;
}

void* third(void* arg) {
  atomic_store(&z, 1);
  atomic_store(&x, 1);
  return arg;
}

void* fourth(void* arg) {
  atomic_store(&y, 1);
  return arg;
}

int main(void) {
  pthread_t t[4];
  pthread_create(&t[0], 0, first, 0);
  pthread_create(&t[1], 0, second, 0);
  pthread_create(&t[2], 0, third, 0);
  pthread_create(&t[3], 0, fourth, 0);
  for (int i = 0; i < 4; ++i) pthread_join(t[i], 0);
#ifdef RIVAL
  assert(!(r == 1 && saw == 1));
#else
  assert(!(r == 1 && saw == 1 && atomic_load(&x) == 5));
#endif
  return 0;
}
