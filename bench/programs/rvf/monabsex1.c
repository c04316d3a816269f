// monabsex1(N), rvf-smc (CAV 2021), Table 1: N threads, each stores 4 and then finds 4.
// $ heddle check --algorithm rvf --model sc --races ignore monabsex1.c => verified, 1 executions
// $ heddle check --algorithm rvf --model sc --races ignore monabsex1.c -- -DN=8 => verified, 1 executions
// $ heddle check --algorithm rvf --model sc --races ignore monabsex1.c -- -DN=20 => verified, 1 executions
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 7
#endif

static int s;

static void* thread(void* unused) {
  s = 4;
  assert(s == 4);
  return unused;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; ++i) pthread_create(&t[i], 0, thread, 0);
}
