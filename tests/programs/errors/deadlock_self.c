// A thread locks the same normal mutex twice.
// $ heddle check deadlock_self.c => error deadlock here
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
  pthread_mutex_lock(&m);
  pthread_mutex_lock(&m);  // here
  return 0;
}
