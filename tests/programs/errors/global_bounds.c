// Accesses outside of global, constant and thread-local arrays.
// $ heddle check global_bounds.c -- -DWRONG=0 => verified
// $ heddle check global_bounds.c -- -DWRONG=1 => error memory here
// $ heddle check global_bounds.c -- -DWRONG=2 => error memory here
// $ heddle check global_bounds.c -- -DWRONG=3 => error memory here
// $ heddle check global_bounds.c -- -DWRONG=4 => error memory here
// $ heddle check global_bounds.c -- -DWRONG=5 => error memory here
// $ heddle check global_bounds.c -- -DWRONG=6 => error memory here
// $ heddle check global_bounds.c -- -DWRONG=7 => error memory here
static int first[4] = {1, 2, 3, 4};
static const int table[4] = {1, 2, 3, 4};
static _Thread_local int a[4];
static _Thread_local int b;
static int n = 4;

static int get(const int* p, int i, int depth) {
  if (depth > 0) return get(p, i, depth - 1);
  return p[i];  // here
}

int main(void) {
  b = 7;
  int result = get(first, 0, 2) - 1 + get(table, 3, 2) - 4 + get(a, 3, 2);
  for (int i = 0; i < n; i++) a[i] = 0;
#if WRONG == 1
  a[n] = 0;  // here
#elif WRONG == 2
  result += get(a, n, 1);
#elif WRONG == 3
  table[4];  // here
#elif WRONG == 4
  result += get(table, n, 1);
#elif WRONG == 5
  result += get(first, -1, 1);
#elif WRONG == 6
  result += get((const int*)"abc", 1, 1);
#elif WRONG == 7
  result += get(table, 4, 0);
#endif
  return result;
}
