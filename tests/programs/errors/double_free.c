// $ heddle check double_free.c => error memory here
#include <stdlib.h>

int main(void) {
  char* p = malloc(3);
  free(p);
  free(p);  // here
  return 0;
}
