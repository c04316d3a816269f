// Atomic floating-point numbers. += is a load and a compare-exchange loop: four ways for two threads.
// $ heddle check --no-symmetry floats.c => verified, 4 executions
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static _Atomic double x = 1.5;

static void* f(void* arg) {
  x += 2.0;
  return arg;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, NULL, f, NULL);
  pthread_create(&u, NULL, f, NULL);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  assert(x == 5.5);
  return 0;
}
