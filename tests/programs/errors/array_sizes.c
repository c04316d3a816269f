// Variable-length arrays and alloca have bounds, a life and unwritten bytes, also if their size turns out to be constant.
// $ heddle check array_sizes.c => verified
// $ heddle check array_sizes.c -- -DSCOPE => error memory, "which has gone out of scope"
// $ heddle check array_sizes.c -- -DZERO => error memory, "out of bounds"
// $ heddle check array_sizes.c -- -DBEYOND => error memory, "out of bounds"
// $ heddle check array_sizes.c -- -DUNSET => error memory, "uninitialised"
// $ heddle check array_sizes.c -- -DUNSET_ARRAY => error memory, "uninitialised"
// $ heddle check array_sizes.c -- -DHUGE => error crash, "stack overflow"
#include <alloca.h>
#include <string.h>

static int sum(int n) {
  int v[n];
  int s = 0;
  for (int i = 0; i < n; ++i) v[i] = i;
  for (int i = 0; i < n; ++i) s += v[i];
  return s;
}

int main(void) {
  int n = 3;
#ifdef SCOPE
  int* p;
  {
    int v[n];
    v[0] = 0;
    p = v;
  }
  return *p;
#elif defined ZERO
  n = 0;
  int v[n];
  v[0] = 0;
  return v[0];
#elif defined BEYOND
  int* p = alloca(16);
  p[4] = 0;
  return p[4];
#elif defined UNSET
  int* p = alloca(16);
  p[0] = 0;
  if (p[3]) return p[0];
#elif defined UNSET_ARRAY
  int v[n];
  if (v[2]) return 1;
#elif defined HUGE
  char b[1 << 25];
  for (int i = 0; i < 1 << 25; i += 4096) b[i] = 0;
  return b[4096];
#else
  for (int i = 0; i < 3; ++i) {
    char* text = alloca(8);
    strcpy(text, "abc");
    if (sum(i) != i * (i - 1) / 2 || text[2] != 'c') return 1;
  }
#endif
  return 0;
}
