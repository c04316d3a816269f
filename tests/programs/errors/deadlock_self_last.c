// Of several threads that wait for ever, the one that waits for itself is to blame.
// $ heddle check deadlock_self_last.c => error deadlock here
// $ heddle check --algorithm rcmc deadlock_self_last.c => error deadlock here
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int held;

static void* waits(void* arg) {
  heddle_assume(held);
  pthread_mutex_lock(&m);
  return arg;
}

static void* again(void* arg) {
  pthread_mutex_lock(&m);
  held = 1;
  pthread_mutex_lock(&m);  // here
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, waits, NULL);
  pthread_create(&b, NULL, again, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
