// free of what malloc did not return: the middle of a block, and a global.
// $ heddle check invalid_free.c => error memory here
// $ heddle check invalid_free.c -- -DGLOBAL => error memory here
#include <stdlib.h>

static int global[4];

int main(void) {
  char* p = malloc(16);
#ifdef GLOBAL
  p = (char*)global;
#endif
  free(p + 4);  // here
  return 0;
}
