// singleton(N), rvf-smc (CAV 2021), Table 1: a thread allocates a byte; when it is joined, N threads store 'X' there,
// one of them 'Y' instead; main joins all and reads. (The benchmark's assertion, that it is 'X', is left out.)
// $ heddle check --algorithm rvf --model sc --races ignore singleton.c => verified, 2 executions
// $ heddle check --algorithm rvf --model sc --races ignore singleton.c -- -DN=30 => verified, 2 executions
#include <pthread.h>
#include <stdlib.h>

#ifndef N
#define N 20
#endif

static char* v;

static void* allocate(void* unused) {
  v = malloc(1);
  return unused;
}

static void* store_x(void* unused) {
  *v = 'X';
  return unused;
}

static void* store_y(void* unused) {
  *v = 'Y';
  return unused;
}

int main(void) {
  pthread_t first, t[N];
  pthread_create(&first, 0, allocate, 0);
  pthread_join(first, 0);
  for (int i = 0; i < N; ++i) pthread_create(&t[i], 0, i == N / 2 ? store_y : store_x, 0);
  for (int i = 0; i < N; ++i) pthread_join(t[i], 0);
  char last = *v;
#ifdef BUG
  if (last != 'X') __builtin_trap();
#endif
  (void)last;
}
