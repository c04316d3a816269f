// unverif(N), rvf-smc (CAV 2021), Table 2: N threads increment a counter, then read it. Only one that reads 1 works on
// a shared number. The i-th to increment may read i to N, so that there are (N!)^2 classes, of whatever equivalence.
// $ heddle check --algorithm rvf --model sc --races ignore unverif.c => verified, 576 executions
// $ heddle check --algorithm rvf --model sc --races ignore unverif.c -- -DN=5 => verified, 14400 executions
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 4
#endif

static atomic_uint r;
static unsigned s;

static void* thread(void* unused) {
  unsigned l = 0;
  atomic_fetch_add(&r, 1);
  if (atomic_load(&r) == 1) {
    for (int i = 0; i < N; ++i) {
      s = s + 1;
      l = l + 1;
      assert(s == l);
    }
  }
  return unused;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; ++i) pthread_create(&t[i], 0, thread, 0);
}
