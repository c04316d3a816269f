// Threads that do the same, but compare addresses of theirs by bytes that have taken another way: the one that comes
// second sees which of the two is lower. All ways are noticed, and the threads are not exchanged.
// $ heddle check address_bytes.c -- -DPACKED => error assertion
// $ heddle check address_bytes.c -- -DBYTES => error assertion
// $ heddle check address_bytes.c -- -DREVERSED => error assertion
// $ heddle check address_bytes.c -- -DCOPIED => error assertion
// $ heddle check address_bytes.c -- -DPIECE => error assertion
// $ heddle check address_bytes.c -- -DACROSS => error assertion
// $ heddle check address_bytes.c -- -DHEAP => error assertion
// $ heddle check --races ignore address_bytes.c -- -DHEAP => error assertion
// $ heddle check --model sc address_bytes.c -- -DBYTES => error assertion
// $ heddle check --model tso address_bytes.c -- -DPACKED => error assertion
// Copied as a whole from word to word they tell nothing.
// $ heddle check address_bytes.c -- -DWHOLE => verified, 1 executions
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static atomic_uintptr_t last;
static atomic_int is_lower;

static inline __attribute__((always_inline)) int is_less(const unsigned char* a, const unsigned char* b, int n) {
  for (int i = n - 1; i >= 0; --i) {
    if (a[i] != b[i]) return a[i] < b[i];
  }
  return 0;
}

static int compared(uintptr_t mine, uintptr_t other) {
#if defined(PACKED)
  struct __attribute__((packed)) {
    char kind;
    uintptr_t address;
  } a = {0, mine}, b = {0, other};
  return is_less((unsigned char*)&a, (unsigned char*)&b, sizeof a);
#elif defined(BYTES)
  unsigned char a[9], b[9];
  for (int i = 0; i < 8; ++i) {
    a[i + 1] = ((unsigned char*)&mine)[i];
    b[i + 1] = ((unsigned char*)&other)[i];
  }
  return is_less(a + 1, b + 1, 8);
#elif defined(REVERSED)
  unsigned char a[8], b[8];
  for (int i = 0; i < 8; ++i) {
    a[7 - i] = ((unsigned char*)&mine)[i];
    b[7 - i] = ((unsigned char*)&other)[i];
  }
  return memcmp(a, b, 8) < 0;
#elif defined(COPIED)
  unsigned char a[12], b[12];
  memcpy(a + 3, &mine, 8);
  memcpy(b + 3, &other, 8);
  return is_less(a + 3, b + 3, 8);
#elif defined(PIECE)
  unsigned char a[5], b[5];
  memcpy(a, (char*)&mine + 2, 5);
  memcpy(b, (char*)&other + 2, 5);
  return is_less(a, b, 5);
#elif defined(ACROSS)
  uintptr_t both[4] = {0, mine, 0, other};
  uint64_t a, b;
  memcpy(&a, (char*)both + 6, 8);
  memcpy(&b, (char*)both + 22, 8);
  return a < b;
#elif defined(HEAP)
  unsigned char* const a = malloc(24);
  memcpy(a + 1, &mine, 8);
  memcpy(a + 13, &other, 8);
  const int result = is_less(a + 1, a + 13, 8);
  free(a);
  return result;
#elif defined(WHOLE)
  struct {
    uintptr_t a, b;
    char end;
  } p = {mine, other, 0}, q;
  memcpy(&q, &p, sizeof q);
  return q.a == q.b;
#endif
}

static void* run(void* arg) {
  int here;
  int* volatile keep = &here;
  const uintptr_t other = atomic_exchange(&last, (uintptr_t)keep);
  if (other != 0) atomic_store(&is_lower, compared((uintptr_t)keep, other));
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, run, 0);
  pthread_create(&b, 0, run, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(!is_lower);
}
