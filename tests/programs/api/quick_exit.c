// quick_exit calls what at_quick_exit has registered, last first, and nothing else.
// $ heddle check quick_exit.c => error assertion here
// $ heddle check quick_exit.c -- -DGOOD => verified
#include <assert.h>
#include <stdlib.h>

static int calls;

static void first(void) {
#ifdef GOOD
  assert(calls == 1);
#else
  assert(calls != 1);  // here
#endif
}
static void second(void) { ++calls; }
static void never(void) { assert(0); }

int main(void) {
  at_quick_exit(first);
  at_quick_exit(second);
  atexit(never);
  quick_exit(0);
}
