// Values are compared as a whole: the two differ in their upper halves only, and the pointers in their last bits.
// $ heddle check --algorithm rvf --model sc wide.c => verified, 5 executions
// $ heddle check --algorithm rvf --model sc wide.c -- -DBUG => error assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static _Atomic uint64_t number;
static char text[2];
static char *_Atomic pointer;

static void *write_them(void *unused) {
  atomic_store(&number, UINT64_C(1) << 40);
  atomic_store(&number, UINT64_C(1) << 41);
  atomic_store(&pointer, &text[0]);
  atomic_store(&pointer, &text[1]);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, write_them, 0);
  char *p = atomic_load(&pointer);
  uint64_t n = atomic_load(&number);
#ifdef BUG
  assert(p != &text[0] || n != UINT64_C(1) << 41);
#endif
  (void)p, (void)n;
}
