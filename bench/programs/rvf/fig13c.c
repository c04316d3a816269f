// In the spirit of rvf-smc (CAV 2021), Fig. 13, whose picture we do not have: one class, exponentially many reads-from
// classes. N threads write their own variables and a common one, all 1, and then read the common one: each may read
// what any thread has written.
// $ heddle check --algorithm rvf --model sc --races ignore fig13c.c => verified, 1 executions
// $ heddle check --algorithm rvf --model sc --races ignore fig13c.c -- -DN=10 => verified, 1 executions
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 4
#endif

static int common, own[N];

static void* thread(void* argument) {
  int* mine = argument;
  *mine = 1;
  common = 1;
  assert(common == *mine);
  return 0;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; ++i) pthread_create(&t[i], 0, thread, &own[i]);
}
