// __VERIFIER_nondet_bool has two values; wider types need a bound.
// $ heddle check nondet.c => verified, 2 executions
// $ heddle check --nondet 5 nondet.c -- -DINT => incomplete, 5 executions
// $ heddle check nondet.c -- -DINT => exit 2, "--nondet"
#include <assert.h>

extern _Bool __VERIFIER_nondet_bool(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int main(void) {
#ifdef INT
  const int n = __VERIFIER_nondet_int();
  assert(0 <= n && n < 5);
#else
  const int n = __VERIFIER_nondet_bool();
  assert(n == 0 || n == 1);
#endif
  __VERIFIER_assume(1);
  return 0;
}
