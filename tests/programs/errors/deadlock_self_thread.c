// The same in a thread, while main waits for that thread.
// $ heddle check deadlock_self_thread.c => error deadlock here
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void* f(void* arg) {
  pthread_mutex_lock(&m);
  pthread_mutex_lock(&m);  // here
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, f, NULL);
  pthread_join(t, NULL);
  return 0;
}
