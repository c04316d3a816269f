// A mutex is unlocked by a thread that does not hold it.
// $ heddle check unlock_by_other.c => error mutex here
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void* f(void* arg) {
  pthread_mutex_unlock(&m);  // here
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_mutex_lock(&m);
  pthread_create(&t, NULL, f, NULL);
  pthread_join(t, NULL);
  return 0;
}
