// A fetch-and-add of 0, whose result is unused, changes nothing, though it commutes with others.
// $ heddle check --model sc --algorithm await add_nothing.c => verified
// $ heddle check --model sc --algorithm await --no-commute add_nothing.c => verified
// $ heddle check add_nothing.c => verified
// $ heddle check --model sc --algorithm await add_nothing.c -- -DDO='atomic_fetch_or_explicit(&x, 0, memory_order_release)' => verified
// $ heddle check --model sc --algorithm await add_nothing.c -- -DDO='atomic_fetch_xor_explicit(&x, 0, memory_order_release)' => verified
// $ heddle check --model sc --algorithm await add_nothing.c -- -DDO='atomic_fetch_and_explicit(&x, -1, memory_order_release)' => verified
// One of 1 does: each round is another.
// $ heddle check --model sc --algorithm await --time-limit 1 add_nothing.c -- -DDO='atomic_fetch_xor_explicit(&y, 1, memory_order_release)' => incomplete
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef DO
#define DO atomic_fetch_add_explicit(&x, 0, memory_order_release)
#endif

static atomic_int x, y, flag;
static int data;

static void* wait(void* arg) {
  data = 1;
  while (!atomic_load_explicit(&flag, memory_order_acquire)) DO;
  return arg;
}
static void* raise(void* arg) {
  while (atomic_load_explicit(&x, memory_order_relaxed) != 0) {
  }
  atomic_store_explicit(&flag, 1, memory_order_release);
  (void)y;
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, wait, 0);
  pthread_create(&b, 0, raise, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(data == 1);
}
