// An execution that is too long for the literal axioms is not called checked.
// $ heddle check --self-check self_check.c -- -DN=300 => verified, 2 executions
// $ heddle check --self-check self_check.c => incomplete, 2 executions, "too long to be held against the literal axioms"
// $ heddle check self_check.c => verified, 2 executions
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 1600
#endif

static atomic_int x, last;

static void* f(void* arg) {
  for (int i = 0; i < N; i++) x = i;
  last = 1;
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, f, NULL);
  const int seen = last;
  pthread_join(t, NULL);
  return seen > 1;
}
