// A block is used after its end, in one thread.
// $ heddle check use_after_free.c => error memory here
#include <stdlib.h>

int main(void) {
  int* p = malloc(sizeof *p);
  *p = 1;
  free(p);
  return *p - 1;  // here
}
