// What was not tried is not verified.
// $ heddle check inputs.c --nondet 3 => incomplete, "only the values 0 to 2 were tried; raise --nondet"
// $ heddle check inputs.c --nondet 3 --algorithm rcmc => incomplete, "only the values 0 to 2 were tried"
// $ heddle check inputs.c --nondet 3 --model sc --algorithm await => incomplete, "only the values 0 to 2 were tried"
// $ heddle check inputs.c --nondet 3 --model sc --algorithm rvf => incomplete, "only the values 0 to 2 were tried"
// $ heddle check inputs.c --nondet 3 --jobs 1 => incomplete, "only the values 0 to 2 were tried"
// $ heddle check inputs.c --nondet 43 => error assertion large
// Of a type that has no other values, all.
// $ heddle check inputs.c --nondet 256 -- -DINPUT=__VERIFIER_nondet_uchar => error assertion large
// $ heddle check inputs.c --nondet 256 -- -DINPUT=__VERIFIER_nondet_uchar -DSMALL => verified
// $ heddle check inputs.c --nondet 256 -- -DINPUT=__VERIFIER_nondet_char -DSMALL => verified
// $ heddle check inputs.c --nondet 255 -- -DINPUT=__VERIFIER_nondet_char -DSMALL => incomplete, "only the values 0 to 254 were tried"
// $ heddle check inputs.c -- -DINPUT=__VERIFIER_nondet_bool => verified
// $ heddle check inputs.c --nondet 256 -- -DINPUT=__VERIFIER_nondet_short -DSMALL => incomplete, "only the values 0 to 255 were tried"
// The values are too few for any execution.
// $ heddle check inputs.c --nondet 3 -- -DLARGE => incomplete, "no execution is complete"
// $ heddle check inputs.c --nondet 3 -- -DLARGE => incomplete, "only the values 0 to 2 were tried"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef INPUT
#define INPUT __VERIFIER_nondet_int
#endif

void __VERIFIER_assume(int condition);
int __VERIFIER_nondet_int(void);
char __VERIFIER_nondet_char(void);
unsigned char __VERIFIER_nondet_uchar(void);
short __VERIFIER_nondet_short(void);
_Bool __VERIFIER_nondet_bool(void);

static atomic_int x;

static void* f(void* arg) {
  atomic_store(&x, 1);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  const int n = INPUT();
#ifdef LARGE
  __VERIFIER_assume(n > 10);
#endif
#ifndef SMALL
  assert(n != 42);  // large
#endif
  atomic_load(&x);
  pthread_join(t, 0);
}
