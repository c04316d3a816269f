// Before there are threads, the same rules hold.
// $ heddle check alone.c => verified, 1 executions
// $ heddle check alone.c -- -DUSE => error memory here, "is retired"
// $ heddle check alone.c -- -DCLEARED => error memory here, "is retired"
#include <assert.h>
#include <heddle.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int*) p;

int main(void) {
  heddle_hp_t* hp = heddle_hp_alloc();
  int* q = malloc(sizeof *q);
  *q = 1;
  atomic_store(&p, q);
#ifndef USE
  heddle_hp_protect(hp, &p);
#endif
  heddle_hp_retire(q);
  *q += 1;  // here
  assert(*q == 2);
#ifdef CLEARED
  heddle_hp_clear(hp);
  assert(*q == 2);  // here
#endif
  heddle_hp_free(hp);
  return 0;
}
