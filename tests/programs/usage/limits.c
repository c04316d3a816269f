// A limit makes the verdict incomplete.
// $ heddle check --no-symmetry --max-executions 10 limits.c => incomplete, "--max-executions"
// $ heddle check --no-symmetry --max-executions 24 limits.c => verified, 24 executions
// $ heddle check --no-symmetry --time-limit 0.2 limits.c -- -DN=12 => incomplete, "--time-limit"
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 4
#endif

static atomic_int x;

static void* f(void* arg) {
  atomic_fetch_add(&x, 1);
  return arg;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; ++i) pthread_create(&t[i], NULL, f, NULL);
  for (int i = 0; i < N; ++i) pthread_join(t[i], NULL);
  return 0;
}
