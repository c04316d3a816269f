// The elements were last written by atomic operations: qsort must not sort what stood there before.
// $ heddle check sort_atomics.c => error assertion here
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_long counts[3];

static int ascending(const void* a, const void* b) {
  const long x = atomic_load((atomic_long*)a);
  const long y = atomic_load((atomic_long*)b);
  return (x > y) - (x < y);
}
static void* count(void* unused) {
  atomic_fetch_add(&counts[0], 9);
  atomic_fetch_add(&counts[1], 4);
  atomic_fetch_add(&counts[2], 7);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, count, NULL);
  pthread_join(t, NULL);
  qsort((void*)counts, 3, sizeof counts[0], ascending);
  assert(counts[0] == 4 && counts[1] == 7);
  assert(counts[2] != 9);  // here
  return 0;
}
