// In the spirit of rvf-smc (CAV 2021), Fig. 13, whose picture we do not have: one class, exponentially many reads-from
// classes. Two threads write 1 to each of N variables, then main's thread of readers reads each: two sources for each
// read.
// $ heddle check --algorithm rvf --model sc --races ignore fig13a.c => verified, 1 executions
// $ heddle check --algorithm rvf --model sc --races ignore fig13a.c -- -DN=12 => verified, 1 executions
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 4
#endif

static int x[N];

static void* writer(void* unused) {
  for (int i = 0; i < N; ++i) x[i] = 1;
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  for (int i = 0; i < N; ++i) x[i] = 1;
  for (int i = 0; i < N; ++i) assert(x[i] == 1);
}
