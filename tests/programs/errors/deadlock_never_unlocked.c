// A thread ends with the mutex held; the other waits for ever.
// $ heddle check deadlock_never_unlocked.c => error deadlock here
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void* f(void* arg) {
  pthread_mutex_lock(&m);  // here
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, f, NULL);
  pthread_create(&b, NULL, f, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
