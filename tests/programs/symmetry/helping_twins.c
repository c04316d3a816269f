// Two symmetric threads help, or come too early to help, and then each takes a number. Whoever takes the first: they stay
// symmetric after they have helped. 2 * 2 * 2 executions are 4 up to exchange: both help, neither does, or one, and that
// one takes the first or the second number.
// $ heddle check helping_twins.c => verified, 4 executions
// $ heddle check --no-symmetry helping_twins.c => verified, 8 executions
// $ heddle check --symmetry helping_twins.c => verified, 4 executions
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int next, tail, number;

static void advance(void) {
  int expected = 0;
  atomic_compare_exchange_strong_explicit(&tail, &expected, 1, memory_order_release, memory_order_relaxed);
}

static void* enqueue(void* arg) {
  (void)atomic_load_explicit(&tail, memory_order_relaxed);
  atomic_store_explicit(&next, 1, memory_order_release);
  heddle_helped(advance());
  return arg;
}

static void* help(void* arg) {
  if (atomic_load_explicit(&next, memory_order_acquire)) heddle_helping(advance());
  atomic_fetch_add_explicit(&number, 1, memory_order_relaxed);
  return arg;
}

int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, NULL, enqueue, NULL);
  pthread_create(&b, NULL, help, NULL);
  pthread_create(&c, NULL, help, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  pthread_join(c, NULL);
  return 0;
}
