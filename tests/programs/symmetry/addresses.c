// Threads that can be exchanged, and a program that looks at the addresses of their memory. What shows a difference
// ends the symmetry: the error needs the thread with the larger address to be first. What shows none does not end it.
// $ heddle check addresses.c -- -DLESS => error assertion
// $ heddle check addresses.c -- -DMAIN_LESS => error assertion
// $ heddle check addresses.c -- -DDIFFERENCE => error assertion
// $ heddle check addresses.c -- -DHASH => error assertion
// $ heddle check addresses.c -- -DHASH_OF_LOCAL => error assertion
// $ heddle check addresses.c -- -DHASH_OF_THREAD_LOCAL => error assertion
// $ heddle check addresses.c -- -DHASH_IN_CALLEE => error assertion
// $ heddle check addresses.c -- -DINTEGER_IN_MEMORY => error assertion
// $ heddle check addresses.c -- -DATOMIC_INTEGER => error assertion
// $ heddle check addresses.c -- -DATOMIC_ARITHMETIC => error assertion
// $ heddle check addresses.c -- -DBYTES => error assertion
// $ heddle check addresses.c -- -DLOCAL_BYTES => error assertion
// $ heddle check addresses.c -- -DHALVES => error assertion
// $ heddle check addresses.c -- -DMEMCMP => error assertion
// $ heddle check addresses.c -- -DPRINTED => error assertion
// $ heddle check addresses.c -- -DPACKED => error assertion
// $ heddle check addresses.c -- -DSORTED => error assertion
// $ heddle check addresses.c -- -DCREATED_KEY => error assertion
// $ heddle check --no-symmetry addresses.c -- -DLESS => error assertion
// $ heddle check --no-symmetry addresses.c -- -DPACKED => error assertion
// $ heddle check --no-symmetry addresses.c -- -DCREATED_KEY => error assertion
// $ heddle check --verbose addresses.c -- -DHASH => exit 1, "no symmetry but what is declared: threads that can be"
// $ heddle check --symmetry addresses.c -- -DLESS => error symmetry, "addresses"
// $ heddle check --symmetry addresses.c -- -DEQUAL => verified, 2 executions
// $ heddle check --symmetry addresses.c -- -DTAGGED => verified, 2 executions
// $ heddle check --symmetry addresses.c -- -DALIGNMENT => verified, 1 executions
// $ heddle check --symmetry addresses.c -- -DIN_ONE_BLOCK => verified, 1 executions
// $ heddle check --symmetry addresses.c -- -DOWN_BLOCKS => verified, 1 executions
// $ heddle check --symmetry addresses.c -- -DGLOBALS => verified, 1 executions
// $ heddle check --symmetry addresses.c -- -DSTRINGS => verified, 1 executions
// $ heddle check --symmetry addresses.c => verified, 1 executions
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Atomic(int*) shared;
static _Atomic(uintptr_t) number;
static atomic_int turn;
static int* of[2];
static int* boxes[2];
static char texts[2][32];
static pthread_key_t keys[2];
static _Thread_local int local;

static int by_address(const void* a, const void* b) {
  int* const x = *(int* const*)a;
  int* const y = *(int* const*)b;
  return x < y ? -1 : x > y;
}

static __attribute__((noinline)) unsigned hash(uintptr_t n) { return (unsigned)(n >> 30) % 251; }
static __attribute__((noinline)) uintptr_t same(uintptr_t n) { return n; }

// The first thread's in [0], the second's in [1].
static void* work(void* unused) {
  int* mine = malloc(sizeof(int[4]));
  *mine = 1;
  const int n = atomic_fetch_add(&turn, 1);
  of[n] = mine;
#ifdef LESS
  int* other = NULL;
  if (!atomic_compare_exchange_strong(&shared, &other, mine)) assert(!(mine < other));
#elif defined DIFFERENCE
  int* other = NULL;
  if (!atomic_compare_exchange_strong(&shared, &other, mine)) assert(mine - other > 0);
#elif defined HASH
  texts[n][0] = (char)(((uintptr_t)mine >> 30) % 251);
#elif defined HASH_OF_LOCAL
  int here;
  atomic_store(&shared, &here);
  texts[n][0] = (char)(((uintptr_t)&here >> 30) % 251);
#elif defined HASH_OF_THREAD_LOCAL
  texts[n][0] = (char)(((uintptr_t)&local >> 30) % 251);
#elif defined HASH_IN_CALLEE
  texts[n][0] = (char)hash(same((uintptr_t)mine));
#elif defined INTEGER_IN_MEMORY
  texts[n][0] = (char)(*(uintptr_t*)&of[n] >> 30);
#elif defined ATOMIC_INTEGER
  atomic_store(&number, (uintptr_t)mine);
  texts[n][0] = (char)(atomic_load(&number) >> 30);
  atomic_store(&number, 0);
#elif defined ATOMIC_ARITHMETIC
  if (n == 0) atomic_store(&number, (uintptr_t)mine);
  if (n == 1) texts[1][0] = atomic_fetch_sub(&number, (uintptr_t)mine) == 0;
#elif defined BYTES
  texts[n][0] = ((char*)&of[n])[3];
  texts[n][1] = ((char*)&of[n])[4];
#elif defined LOCAL_BYTES
  char bytes[sizeof mine];
  memcpy(bytes, &mine, sizeof mine);
  unsigned sum = 0;
  for (unsigned i = 0; i < sizeof mine; ++i) sum = sum * 2 + (unsigned char)bytes[i];
  texts[n][0] = (char)(sum >> 6);
#elif defined HALVES
  texts[n][0] = (char)(((uint32_t*)&of[n])[0] >> 30);
#elif defined PRINTED
  snprintf(texts[n], sizeof texts[n], "%p", (void*)mine);
#elif defined PACKED
  atomic_store(&number, (uintptr_t)mine << 16 | 7);
  texts[n][0] = (char)(atomic_load(&number) >> 46);
#elif defined CREATED_KEY
  pthread_key_create(&keys[n], NULL);
#elif defined EQUAL
  int* other = NULL;
  if (!atomic_compare_exchange_strong(&shared, &other, mine)) assert(mine != other && other != NULL);
#elif defined TAGGED
  uintptr_t old = 0;
  if (!atomic_compare_exchange_strong(&number, &old, (uintptr_t)mine | 1)) {
    assert((old & 1) == 1 && ((old ^ 1) & 7) == 0);
    assert(*(int*)(old & ~(uintptr_t)1) == 1);
    assert(*(int*)(old - 1) == 1);
    atomic_fetch_and(&number, ~(uintptr_t)1);
    atomic_fetch_or(&number, 2);
  }
#elif defined ALIGNMENT
  assert((uintptr_t)mine % 16 == 0);
  assert(((uintptr_t)mine & 15) == 0);
#elif defined IN_ONE_BLOCK
  int* const* box = &of[n];
  int sum = 0;
  for (int* p = *box; p < mine + 4; ++p) *p = 1;
  for (int* p = *box; p < mine + 4; ++p) sum += *p;
  assert(sum == 4 && mine + 4 - *box == 4);
#elif defined OWN_BLOCKS
  int* volatile second = malloc(sizeof *second);
  assert(mine < second);
  assert(second > (int*)NULL);
#elif defined GLOBALS
  texts[n][0] = (char)((uintptr_t)&texts[n] % 251);
#elif defined STRINGS
  char* text = malloc(8);
  strcpy(text, "heddle");
  snprintf(texts[n], sizeof texts[n], "%s %d", text, *mine);
  assert(strlen(text) == 6 && memcmp(text, "heddle", 7) == 0);
#endif
  (void)unused;
  return NULL;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; ++i) pthread_create(&t[i], NULL, work, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(t[i], NULL);
  int* a = of[0];
  int* b = of[1];
#ifdef MAIN_LESS
  assert(a < b);
#elif defined MEMCMP
  assert(memcmp(&of[0], &of[1], sizeof of[0]) < 0);
#elif defined SORTED
  boxes[0] = a;
  boxes[1] = b;
  qsort(boxes, 2, sizeof boxes[0], by_address);
  assert(boxes[0] == a);
#elif defined PRINTED
  assert(strcmp(texts[0], texts[1]) < 0);
#elif defined CREATED_KEY
  assert(keys[0] < keys[1]);
#elif defined BYTES
  assert((unsigned char)texts[0][1] * 256 + (unsigned char)texts[0][0] <
         (unsigned char)texts[1][1] * 256 + (unsigned char)texts[1][0]);
#elif defined ATOMIC_ARITHMETIC
  assert(atomic_load(&number) > UINTPTR_MAX / 2);
#elif !defined LESS && !defined DIFFERENCE && !defined EQUAL && !defined TAGGED && !defined GLOBALS && !defined STRINGS
  assert(texts[0][0] <= texts[1][0]);
#endif
  (void)by_address;
  (void)hash;
  (void)same;
  (void)local;
  return a == b;
}
