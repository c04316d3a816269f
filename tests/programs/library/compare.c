// A comparison of a few bytes is a call as well: the compiler does not make loads of it that nobody sees.
// $ heddle check compare.c => error memory here
// $ heddle check compare.c -- -DEQUAL => error memory here
#include <stdlib.h>
#include <string.h>

int main(void) {
  char* const p = malloc(4);
  memset(p, 'a', 4);
  free(p);
#ifdef EQUAL
  return memcmp(p, "aaaa", 4) == 0;  // here
#else
  return memcmp(p, "abcd", 4) > 0;  // here
#endif
}
