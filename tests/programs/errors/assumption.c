// What the program assumes, and where it says that nobody comes.
// $ heddle check assumption.c -- -DWRONG=0 => verified
// $ heddle check assumption.c -- -DWRONG=1 => error crash here, "assumes what is false"
// $ heddle check assumption.c -- -DWRONG=2 => error crash here, "must not reach"
// $ heddle check assumption.c -- -DWRONG=3 => error crash here, "assumes what is false"
static int zero;
static int numbers[4];

int main(void) {
  __builtin_assume(zero == 0);
#if WRONG == 1
  __builtin_assume(zero == 1);  // here
#elif WRONG == 2
  if (zero == 0) __builtin_unreachable();  // here
#elif WRONG == 3
  int* p = __builtin_assume_aligned((char*)numbers + 4 + zero, 64);  // here
  return *p;
#endif
  int* q = __builtin_assume_aligned(numbers, 4);
  return *q;
}
