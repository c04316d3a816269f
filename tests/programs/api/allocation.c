// Alignments and sizes that no allocation can have.
// $ heddle check allocation.c => verified, 1 executions
// $ heddle check allocation.c -- -DLARGE => exit 2, "memory in one execution"
#include <assert.h>
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>

int main(void) {
  void* p = &p;
  assert(aligned_alloc(3, 16) == NULL);
  assert(aligned_alloc(0, 16) == NULL);
  assert(posix_memalign(&p, 3, 16) == EINVAL && p == &p);
  assert(posix_memalign(&p, 4, 16) == EINVAL && p == &p);
  assert(posix_memalign(&p, 64, SIZE_MAX) == ENOMEM && p == &p);
  assert(posix_memalign(&p, (size_t)1 << 62, 16) == ENOMEM && p == &p);
  assert(posix_memalign(&p, 64, 16) == 0 && (uintptr_t)p % 64 == 0);
  free(p);
  volatile size_t huge = PTRDIFF_MAX;
  errno = 0;
  assert(malloc(huge) == NULL && errno == ENOMEM);
  assert(malloc(huge + 1) == NULL && malloc(SIZE_MAX) == NULL);
  errno = 0;
  assert(calloc(huge, 3) == NULL && errno == ENOMEM);
  assert(calloc((size_t)1 << 33, (size_t)1 << 33) == NULL);
  p = malloc(8);
  assert(reallocarray(p, huge, 3) == NULL);
  assert(realloc(p, huge) == NULL);
  p = reallocarray(p, 4, 4);
  assert(malloc_usable_size(p) >= 16);
  assert(realloc(p, 0) == NULL);
#ifdef LARGE
  p = malloc((size_t)1 << 36);
#endif
  return 0;
}
