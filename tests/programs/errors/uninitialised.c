// A read of heap memory that was never written.
// $ heddle check uninitialised.c => error memory here
#include <stdlib.h>

int main(void) {
  int* p = malloc(4 * sizeof *p);
  p[0] = 1;
  const int zero = p[0] - p[1];  // here
  free(p);
  return zero != zero;
}
