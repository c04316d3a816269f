// In the spirit of rvf-smc (CAV 2021), Fig. 13, whose picture we do not have: one class, exponentially many reads-from
// classes. One thread writes 7 to x again and again, another reads it as often: each read may have each source that is
// not older than that of the read before.
// $ heddle check --algorithm rvf --model sc --races ignore fig13b.c => verified, 1 executions
// $ heddle check --algorithm rvf --model sc --races ignore fig13b.c -- -DN=12 => verified, 1 executions
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 4
#endif

static int x = 7;

static void* writer(void* unused) {
  for (int i = 0; i < N; ++i) x = 7;
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  for (int i = 0; i < N; ++i) assert(x == 7);
}
