// A mutex is destroyed while it is locked, by main or by another thread.
// $ heddle check destroy_held.c => error mutex here
// $ heddle check destroy_held.c -- -DOTHER => error mutex here
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int locked;

static void* f(void* arg) {
  pthread_mutex_lock(&m);
  atomic_store(&locked, 1);
  return arg;
}

int main(void) {
#ifdef OTHER
  pthread_t t;
  pthread_create(&t, NULL, f, NULL);
  heddle_assume(atomic_load(&locked));
#else
  f(NULL);
#endif
  pthread_mutex_destroy(&m);  // here
  return 0;
}
