// heddle_assert fails like assert, even with NDEBUG.
// $ heddle check heddle_assert.c -- -DNDEBUG => error assertion here
#include <heddle.h>

int main(void) {
  heddle_assert(heddle_choose(3) != 2);  // here
  return 0;
}
