// Library functions that have nothing to do with threads are called natively; output is held back.
// $ heddle check library.c => verified, 1 executions
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int ascending(const void* a, const void* b) { return *(const int*)a - *(const int*)b; }

int main(void) {
  int v[] = {5, 3, 9, 1};
  qsort(v, 4, sizeof *v, ascending);
  assert(v[0] == 1 && v[3] == 9);
  char text[32];
  snprintf(text, sizeof text, "%d-%s", v[1], "x");
  assert(strcmp(text, "3-x") == 0 && strlen(text) == 3);
  assert(strchr(text, '-') == text + 1);
  assert(atoi("42") == 42 && abs(-3) == 3);
  assert(fabs(sqrt(2.0) - 1.41421356) < 1e-6);
  printf("not shown: %s\n", text);
  puts("nor this");
  return 0;
}
