// rvf-smc (CAV 2021), Fig. 6, the run of Algorithm 2 in the paper; the program as the text tells it: w1, r1, w2 and
// w3, w4, r2, w5. The second thread writes x once more after its read of y, which sends a backtrack signal.
// $ heddle check --algorithm rvf --model sc --races ignore fig6.c => verified, 2 executions
#include <assert.h>
#include <pthread.h>

static int x, y;

static void* first(void* unused) {
  x = 1;           // w1
  assert(x == 1);  // r1
  y = 1;           // w2
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, first, 0);
  x = 1;           // w3
  y = 1;           // w4
  assert(y == 1);  // r2
  x = 1;           // w5
}
