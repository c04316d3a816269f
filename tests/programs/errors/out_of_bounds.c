// One element past the end of a heap block, at an index that the optimiser does not know.
// $ heddle check out_of_bounds.c => error memory here
#include <heddle.h>
#include <stdlib.h>

int main(void) {
  int* p = calloc(4, sizeof *p);
  const int i = heddle_choose(5);
  p[i] = 1;  // here
  free(p);
  return 0;
}
