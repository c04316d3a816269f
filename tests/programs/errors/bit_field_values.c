// The store of a bit-field reads what is around it, which is no use of that. A read of a bit-field is a use, and so is
// a mask in the source.
// $ heddle check bit_field_values.c => verified
// $ heddle check bit_field_values.c -- -DWRONG=1 => error memory here, "uninitialised"
// $ heddle check bit_field_values.c -- -DWRONG=2 => error memory here, "uninitialised"
// $ heddle check bit_field_values.c -- -DWRONG=3 => error memory here, "uninitialised"
// $ heddle check bit_field_values.c -- -DWRONG=4 => error memory here, "uninitialised"
// $ heddle check bit_field_values.c -- -DWRONG=5 => error memory here, "uninitialised"
// $ heddle check bit_field_values.c -- -DWRONG=6 => error memory here, "uninitialised"
// $ heddle check bit_field_values.c -- -DWRONG=7 => error memory here, "uninitialised"
// $ heddle check bit_field_values.c -- -DWRONG=8 => error memory here, "uninitialised"
#include <stdlib.h>

struct bits {
  unsigned a : 3, b : 5;
  int c : 7;
  _Bool d : 1;
  int : 0;
  unsigned e : 20;
};
struct whole {
  unsigned f, g;
};

int main(void) {
  struct bits *p = malloc(sizeof *p), s;
  struct whole* w = malloc(sizeof *w);
  w->g = 0;
#if WRONG == 1
  p->b += 1;  // here
#elif WRONG == 2
  s.b |= 1;  // here
#elif WRONG == 3
  if (p->e) return 1;  // here
#elif WRONG == 4
  w->f = (w->f & ~0xf0u) | 0x30;  // here
#elif WRONG == 5
  w->f |= 1;  // here
#elif WRONG == 6
  unsigned x;
  x |= 1;  // here
  if (x == 3) return 1;
#elif WRONG == 7
  unsigned x;
  x = (x & ~0xf0u) | 0x30;  // here
#elif WRONG == 8
  struct whole t;
  t.f = (t.f & ~0xf0u) | 0x30;  // here
#endif
  p->a = 1;
  p->b = 2;
  p->c = -3;
  p->d = 1;
  p->e = 77;
  s.a = 3;
  s.b = p->b;
  s.b += 2;
  const int sum = p->a + p->b + p->c + p->d + p->e + s.a + s.b;
  free(p);
  free(w);
  return sum - 85;
}
