// strtok keeps its place in one variable of the process, as the C standard has it: threads that use it race.
#define _GNU_SOURCE
#include <string.h>

static char* strtok_place;

char* strtok(char* s, const char* separators) {
  if (s == NULL && strtok_place == NULL) return NULL;
  return strtok_r(s, separators, &strtok_place);
}
