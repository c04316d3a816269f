// pgsql(N), rvf-smc (CAV 2021), Table 2: two workers of a database pass each other the work, each with a latch that it
// waits for and a flag that says whether there is work. N rounds. The paper bounds all loops by N, also those that
// wait, and counts what is cut: the sum of (N + 2)^i for i < 2N, as we do with one round more of the loops that wait.
// Where they wait, there is one execution.
// $ heddle check --algorithm rvf --model sc --races ignore --volatile relaxed pgsql.c => verified, 1 executions, 0 blocked
// $ heddle check --algorithm rvf --model sc --races ignore --no-await --no-purity --unroll 4 pgsql.c => incomplete, 3125 executions, 781 blocked
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 3
#endif

static volatile _Bool latch1 = 1, flag1 = 1, latch2, flag2;

static void* worker1(void* unused) {
  for (int i = 0; i < N; ++i) {
    while (!latch1) {
    }
    assert(!latch1 || flag1);
    latch1 = 0;
    if (flag1) {
      flag1 = 0;
      flag2 = 1;
      latch2 = 1;
    }
  }
  return unused;
}

static void* worker2(void* unused) {
  for (int i = 0; i < N; ++i) {
    while (!latch2) {
    }
    assert(!latch2 || flag2);
    latch2 = 0;
    if (flag2) {
      flag2 = 0;
      flag1 = 1;
      latch1 = 1;
    }
  }
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker1, 0);
  pthread_create(&b, 0, worker2, 0);
}
