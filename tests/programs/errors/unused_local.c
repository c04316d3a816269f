// (void)x says that a variable is not used: no value of it is read.
// $ heddle check unused_local.c -- -DWRONG=0 => verified
// $ heddle check unused_local.c -- -DWRONG=1 => error memory here, "uninitialised"
// $ heddle check unused_local.c -- -DWRONG=2 => error memory here, "uninitialised"
static void set(int* p, int value) {
  if (value) *p = value;
}

int zero;

int main(void) {
  int x, y;
  set(&x, zero);
  (void)x;
  (void)y;
#if WRONG == 1
  return x;  // here
#elif WRONG == 2
  (void)(x > 1 ? set(&y, 1) : set(&y, 2));  // here
#endif
  return 0;
}
