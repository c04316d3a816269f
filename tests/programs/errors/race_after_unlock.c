// One of two accesses is outside the lock.
// $ heddle check race_after_unlock.c => error race here
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void* good(void* arg) {
  pthread_mutex_lock(&m);
  ++x;  // here
  pthread_mutex_unlock(&m);
  return arg;
}

static void* bad(void* arg) {
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  ++x;  // here
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, good, NULL);
  pthread_create(&b, NULL, bad, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
