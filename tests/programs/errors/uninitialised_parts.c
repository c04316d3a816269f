// Copies carry along what has no value; the use of it is the error.
// $ heddle check uninitialised_parts.c -- -DWRONG=0 => verified
// $ heddle check uninitialised_parts.c -- -DWRONG=1 => error memory here
// $ heddle check uninitialised_parts.c -- -DWRONG=2 => error memory here
// $ heddle check uninitialised_parts.c -- -DWRONG=3 => error memory here
// $ heddle check uninitialised_parts.c -- -DWRONG=4 => error memory here
// $ heddle check uninitialised_parts.c -- -DWRONG=5 => error memory here
// $ heddle check uninitialised_parts.c -- -DWRONG=6 => error memory here
// $ heddle check uninitialised_parts.c -- -DWRONG=7 => error memory here
#include <stdlib.h>
#include <string.h>

struct s {
  char tag;
  int a[10];
};
struct bits {
  unsigned a : 3, b : 5;
  int other;
};
struct small {
  char c;
  int i;
};

static void set_if(int* p, int c) {
  if (c) *p = 1;
}
static struct small make(void) {
  struct small s;
  s.i = 4;
  return s;
}
static int take(struct s s, int n) { return n > 0 ? take(s, n - 1) : s.a[1]; }

int zero;

int main(void) {
  struct s *p = malloc(sizeof *p), s, t;
  p->a[1] = 2;
  s = *p;
  t = s;
  int result = t.a[1] - 2;
  unsigned char bytes[sizeof s];
  for (unsigned i = 0; i < sizeof s; i++) bytes[i] = ((unsigned char*)&t)[i];
  memcpy(&s, bytes, sizeof s);
  result += take(s, 2) - 2;
  struct bits b;
  b.a = 2;
  b.b = 3;
  struct bits c = b;
  result += c.a + c.b - 5;
  struct small m = make();
  result += m.i - 4;
  int x;
  set_if(&x, 1);
  result += x - 1;
#if WRONG == 1
  result += t.a[3];  // here
#elif WRONG == 2
  result += s.tag;  // here
#elif WRONG == 3
  *p = t;
  result += p->a[7];  // here
#elif WRONG == 4
  int y;
  set_if(&y, zero);
  result += y;  // here
#elif WRONG == 5
  result += c.other;  // here
#elif WRONG == 6
  int array[4];
  array[1] = 1;
  result += array[zero];  // here
#elif WRONG == 7
  int again[4] = {0};
  memcpy(again, &t.a[4], sizeof again);
  again[2];  // here
#endif
  free(p);
  return result;
}
