// malloc, calloc, realloc, aligned_alloc and free; contents move along, alignment holds.
// $ heddle check allocation.c => verified, 1 executions
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  int* p = malloc(4 * sizeof *p);
  for (int i = 0; i < 4; ++i) p[i] = i;
  p = realloc(p, 100 * sizeof *p);
  p[99] = 99;
  assert(p[3] == 3);
  p = realloc(p, 2 * sizeof *p);
  assert(p[1] == 1);
  char* c = calloc(10, 10);
  for (int i = 0; i < 100; ++i) assert(c[i] == 0);
  char* a = aligned_alloc(64, 128);
  assert((uintptr_t)a % 64 == 0);
  memset(a, 1, 128);
  char* s = strdup("text");
  assert(strcmp(s, "text") == 0);
  free(s);
  free(a);
  free(c);
  free(p);
  free(NULL);
  return 0;
}
