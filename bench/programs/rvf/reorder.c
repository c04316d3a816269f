// reorder(N), rvf-smc (CAV 2021), Table 1: N threads store 1 to a and -1 to b, one thread reads both. (The benchmark is
// about a bug: a can be new and b old. Its assertion is left out, as the paper does.)
// $ heddle check --algorithm rvf --model sc --races ignore reorder.c => verified, 4 executions
// $ heddle check --algorithm rvf --model sc --races ignore reorder.c -- -DN=30 => verified, 4 executions
#include <pthread.h>

#ifndef N
#define N 9
#endif

static int a, b;

static void* setter(void* unused) {
  a = 1;
  b = -1;
  return unused;
}

static void* checker(void* unused) {
  int seen_a = a;
  int seen_b = b;
#ifdef BUG
  if (!((seen_a == 0 && seen_b == 0) || (seen_a == 1 && seen_b == -1))) __builtin_trap();
#endif
  (void)seen_a, (void)seen_b;
  return unused;
}

int main(void) {
  pthread_t t[N + 1];
  for (int i = 0; i < N; ++i) pthread_create(&t[i], 0, setter, 0);
  pthread_create(&t[N], 0, checker, 0);
}
