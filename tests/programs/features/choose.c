// heddle_choose explores every value, heddle_assume drops executions.
// $ heddle check choose.c => verified, 6 executions, 6 blocked
#include <assert.h>
#include <heddle.h>

int main(void) {
  const int a = heddle_choose(4), b = heddle_choose(3);
  heddle_assume(a > b);
  assert(a != 0);
  return 0;
}
