// The error functions of SV-COMP.
// $ heddle check reach_error.c => error assertion here
// $ heddle check reach_error.c -- -DOLD => error assertion here
extern void reach_error(void);
extern void __VERIFIER_error(void);
extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
  if (__VERIFIER_nondet_bool()) {
#ifdef OLD
    __VERIFIER_error();  // here
#else
    reach_error();  // here
#endif
  }
  return 0;
}
