// approxds-append(N), rvf-smc (CAV 2021), Table 2: an approximate list. N threads append without a lock: each reads the
// length, writes its item there and then the new length. Items may be lost, which is what "approximate" allows; a
// thread that finds its place taken tries the next one once. The benchmark's source is not in the paper, so the counts
// are ours.
// $ heddle check --algorithm rvf --model sc --races ignore approxds-append.c => verified, 45 executions
// $ heddle check --algorithm await --model sc --races ignore approxds-append.c => verified, 270 executions
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 3
#endif

static int length, item[2 * N + 1];

static void* append(void* unused) {
  int at = length;
  if (item[at] != 0) at = at + 1;
  item[at] = 1;
  length = at + 1;
  return unused;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; ++i) pthread_create(&t[i], 0, append, 0);
}
