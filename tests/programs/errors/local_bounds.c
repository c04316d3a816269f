// Accesses outside local variables, in all the ways that an optimiser might hide.
// $ heddle check local_bounds.c -- -DWRONG=0 => verified
// $ heddle check local_bounds.c -- -DWRONG=1 => error memory here, "at offset 16 of a variable of 16 bytes"
// $ heddle check local_bounds.c -- -DWRONG=2 => error memory here
// $ heddle check local_bounds.c -- -DWRONG=3 => error memory here
// $ heddle check local_bounds.c -- -DWRONG=4 => error memory here
// $ heddle check local_bounds.c -- -DWRONG=5 => error memory here
// $ heddle check local_bounds.c -- -DWRONG=6 => error memory here
// $ heddle check local_bounds.c -- -DWRONG=7 => error memory here
// $ heddle check local_bounds.c -- -DWRONG=8 => error memory here
// $ heddle check local_bounds.c -- -DWRONG=9 => error memory here, "at offset -4 of a variable of 16 bytes"
#include <stdlib.h>
#include <string.h>

static char source[64];
static int n = 24;

static void set(int* a, int i, int v) {
#if WRONG == 2
  a[i + 4] = v;  // here
#else
  a[i] = v;
#endif
}

static void fill(int* a, int i) {
  if (i < 0) return;
#if WRONG == 3
  a[i + 1] = i;  // here
#else
  a[i] = i;
#endif
  fill(a, i - 1);
}

int main(void) {
  int a[4];
  char l[16], k[16];
  struct pair {
    int x, y;
  } s, *p = &s;
  set(a, 0, 1);
  fill(a, 3);
  s.x = s.y = 1;
  memset(k, 1, sizeof k);
  memcpy(l, source, sizeof l);
#if WRONG == 1
  a[4] = 2;  // here
#elif WRONG == 4
  memcpy(l, source, n);  // here
#elif WRONG == 5
  memset(l, 0, n);  // here
#elif WRONG == 6
  memcpy(source, l, n);  // here
#elif WRONG == 7
  p[1].x;  // here
#elif WRONG == 8
  char* heap = malloc(16);
  memcpy(k + 8, l, n - 8);  // here
  free(heap);
#elif WRONG == 9
  a[n - 25] = 1;  // here
#endif
  return a[0] + a[3] + l[0] + k[0] + p->x - 5;
}
