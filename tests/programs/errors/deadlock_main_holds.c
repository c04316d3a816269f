// A mutex that main took before there were threads is held by main.
// $ heddle check deadlock_main_holds.c => error deadlock here, "waits for mutex m held by main"
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void* f(void* arg) {
  pthread_mutex_lock(&m);  // here
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_mutex_lock(&m);
  pthread_create(&t, NULL, f, NULL);
  pthread_join(t, NULL);
  return 0;
}
