// fib_bench(N), RCMC (POPL 2018), Table 5: two threads add each other's number to their own N times, a third reads
// both and asserts that neither exceeds the (2N+2)-nd Fibonacci number, which the strictest alternation reaches.
//
// Each location has one writer, so an execution is given by what each iteration sees of the other thread and what the
// third thread sees. Release and acquire make these choices monotone and free of cycles.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif

static atomic_int i = 1, j = 1;

static int get(atomic_int* x) { return atomic_load_explicit(x, memory_order_acquire); }
static void set(atomic_int* x, int value) { atomic_store_explicit(x, value, memory_order_release); }

static void* first(void* arg) {
  for (int k = 0; k < N; ++k) set(&i, get(&i) + get(&j));
  return arg;
}

static void* second(void* arg) {
  for (int k = 0; k < N; ++k) set(&j, get(&j) + get(&i));
  return arg;
}

static void* check(void* arg) {
  int low = 1, bound = 1;
  for (int k = 0; k < 2 * N; ++k) {
    const int next = low + bound;
    low = bound;
    bound = next;
  }
  assert(get(&i) <= bound);
  assert(get(&j) <= bound);
  return arg;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], NULL, first, NULL);
  pthread_create(&threads[1], NULL, second, NULL);
  pthread_create(&threads[2], NULL, check, NULL);
  for (int t = 0; t < 3; ++t) pthread_join(threads[t], NULL);
  return 0;
}
