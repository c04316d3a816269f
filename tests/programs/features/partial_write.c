// A plain write to a part of what was accessed as a whole keeps the other part, also when two threads write different parts.
// $ heddle check --races ignore partial_write.c => verified, 2 executions
// $ heddle check --races ignore --model sc partial_write.c => verified, 2 executions
// $ heddle check partial_write.c -- -DATOMIC => verified, 1 executions
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct pair {
  char a[4];
  char b[4];
};
static struct pair* shared;
static atomic_int word;

static void* first(void* unused) {
  shared->a[1] = 'A';
  return unused;
}
static void* second(void* unused) {
  memcpy(&shared->b[1], "BC", 2);
  return unused;
}

static void* nothing(void* unused) { return unused; }

int main(void) {
  pthread_t t, u;
#ifdef ATOMIC
  pthread_create(&t, NULL, nothing, NULL);
  atomic_store(&word, 0x01010101);
  memset(&word, 2, 2);
  assert(atomic_load(&word) == 0x01010202);
  pthread_join(t, NULL);
  (void)u;
#else
  shared = malloc(sizeof *shared);
  static const char start[] = "abcdefgh";
  pthread_create(&t, NULL, nothing, NULL);
  pthread_join(t, NULL);
  memcpy(shared, start, 8);
  pthread_create(&t, NULL, first, NULL);
  pthread_create(&u, NULL, second, NULL);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  assert(memcmp(shared, "aAcdeBCh", 8) == 0);
  free(shared);
#endif
  return 0;
}
