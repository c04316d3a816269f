// atomic_flag, and a lock made of it.
// $ heddle check --no-symmetry flag.c => verified, 2 executions
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_flag lock = ATOMIC_FLAG_INIT;
static int x;

static void* f(void* arg) {
  heddle_assume(!atomic_flag_test_and_set_explicit(&lock, memory_order_acquire));
  ++x;
  atomic_flag_clear_explicit(&lock, memory_order_release);
  return arg;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, NULL, f, NULL);
  pthread_create(&u, NULL, f, NULL);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  assert(x == 2);
  return 0;
}
