// A bound that no loop reaches leaves the verdict as it is.
// $ heddle check --unroll 5 unroll_enough.c => verified, 1 executions
// $ heddle check --unroll 2 unroll_enough.c => incomplete, "the loop at"
int main(void) {
  int sum = 0;
  for (int i = 0; i < 4; ++i) sum += i;
  return sum - 6;
}
