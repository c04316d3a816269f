// A structure that is passed or returned in registers takes its holes along. That is no use of them; an argument or a
// result that is a scalar is one.
// $ heddle check registers.c => verified
// $ heddle check registers.c -- -DWRONG=1 => error memory here, "uninitialised"
// $ heddle check registers.c -- -DWRONG=2 => error memory here, "uninitialised"
// $ heddle check registers.c -- -DWRONG=3 => error memory here, "uninitialised"
// $ heddle check registers.c -- -DWRONG=4 => error memory here, "uninitialised"
#include <stdlib.h>

struct three {
  char a, b, c;
};
struct one {
  struct {
    int a;
  } in;
};
struct twelve {
  int a, b, c;
};
struct sixteen {
  int a;
  long b;
};

static struct three three(struct three s) { return s; }
static struct one one(struct one s) { return s; }
static struct twelve twelve(struct twelve s) { return s; }
static struct sixteen sixteen(struct sixteen s) { return s; }
static int scalar(int a) { return a; }
static int none(int c) {
  if (c) return c;
}
static int member(void) {
  struct one s;
#if WRONG == 3
  return s.in.a;  // here
#else
  return 0;
#endif
}

int zero;

int main(void) {
  struct three a, *p = malloc(sizeof *p);
  struct one b;
  struct twelve c;
  struct sixteen d;
  a = three(a);
  p->b = 1;
  *p = three(*p);
  b = one(b);
  c.b = 2;
  c = twelve(c);
  d.b = 3;
  d = sixteen(d);
  none(zero);
  int sum = p->b + c.b + (int)d.b;
#if WRONG == 1
  sum += a.b;  // here
#elif WRONG == 2
  sum += scalar(b.in.a);  // here
#elif WRONG == 3
  sum += member();
#elif WRONG == 4
  sum += twelve(c).a;  // here
#endif
  free(p);
  return sum - 6;
}
