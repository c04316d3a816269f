// The block is retired before it is protected, and the reader knows: the location was never changed. Protecting it is
// no error, using it is.
// $ heddle check dead.c => verified, 2 executions
// $ heddle check dead.c -- -DUSE => error memory here, "before the hazard pointer was set"
// $ heddle check --model sc dead.c -- -DUSE => error memory here, "before the hazard pointer was set"
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int*) p;
static atomic_int retired;

static void* reader(void* arg) {
  static heddle_hp_t hp;
  if (!atomic_load(&retired)) return arg;
  int* q = heddle_hp_protect(&hp, &p);
#ifdef USE
  *q = 1;  // here
#endif
  (void)q;
  return arg;
}

int main(void) {
  atomic_store(&p, calloc(1, sizeof(int)));
  pthread_t t;
  pthread_create(&t, NULL, reader, NULL);
  heddle_hp_retire(atomic_load(&p));
  atomic_store(&retired, 1);
  pthread_join(t, NULL);
  return 0;
}
