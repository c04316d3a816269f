// rvf-smc (CAV 2021), Fig. 1: three threads write 1 to x and to y; one of them then reads x, another y. All that is
// ever read is 1.
// $ heddle check --algorithm rvf --model sc --races ignore fig1.c => verified, 1 executions
// $ heddle check --algorithm await --model sc --races ignore fig1.c => verified, 98 executions
#include <assert.h>
#include <pthread.h>

static int x, y;

static void* first(void* unused) {
  x = 1;
  y = 1;
  return unused;
}

static void* second(void* unused) {
  x = 1;
  y = 1;
  assert(x == 1);
  return unused;
}

static void* third(void* unused) {
  x = 1;
  y = 1;
  assert(y == 1);
  return unused;
}

int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_create(&c, 0, third, 0);
}
