// Functions of stdlib.h and search.h that call a comparison of the program with pointers to its elements. The sort is
// stable, like that of the GNU library.
#define _GNU_SOURCE
#include <search.h>
#include <stdlib.h>
#include <string.h>

typedef int (*compare_with)(const void*, const void*, void*);

// All in arguments: a local variable whose address is taken would be memory that threads could share.
static void merge_sort(char* start, size_t count, size_t size, char* spare, compare_with compare, void* argument) {
  if (count < 2) return;
  const size_t half = count / 2;
  char* left = start;
  char* const middle = start + half * size;
  char* right = middle;
  char* const end = start + count * size;
  merge_sort(left, half, size, spare, compare, argument);
  merge_sort(right, count - half, size, spare, compare, argument);
  char* out = spare;
  while (left < middle && right < end) {
    if (compare(left, right, argument) <= 0) {
      memcpy(out, left, size);
      left += size;
    } else {
      memcpy(out, right, size);
      right += size;
    }
    out += size;
  }
  // What is left of the right half is where it belongs.
  if (left < middle) memmove(end - (middle - left), left, middle - left);
  if (out > spare) memcpy(start, spare, out - spare);
}

void qsort_r(void* start, size_t count, size_t size, compare_with compare, void* argument) {
  if (count < 2 || size == 0) return;
  char* const spare = malloc(count * size);
  merge_sort(start, count, size, spare, compare, argument);
  free(spare);
}

static int compare_plainly(const void* a, const void* b, void* compare) {
  return ((int (*)(const void*, const void*))compare)(a, b);
}

void qsort(void* start, size_t count, size_t size, int (*compare)(const void*, const void*)) {
  qsort_r(start, count, size, compare_plainly, (void*)compare);
}

void* bsearch(const void* key, const void* start, size_t count, size_t size, int (*compare)(const void*, const void*)) {
  size_t low = 0;
  size_t high = count;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    const char* const element = (const char*)start + middle * size;
    const int order = compare(key, element);
    if (order == 0) return (void*)element;
    if (order < 0) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return NULL;
}

void* lfind(const void* key, const void* start, size_t* count, size_t size, int (*compare)(const void*, const void*)) {
  const char* element = start;
  for (size_t i = 0; i < *count; ++i, element += size) {
    if (compare(key, element) == 0) return (void*)element;
  }
  return NULL;
}

void* lsearch(const void* key, void* start, size_t* count, size_t size, int (*compare)(const void*, const void*)) {
  void* const found = lfind(key, start, count, size, compare);
  if (found != NULL) return found;
  return memcpy((char*)start + (*count)++ * size, key, size);
}
