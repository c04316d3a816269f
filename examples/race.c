// A data race: two threads increment a plain counter without a lock.
//
// $ heddle check race.c => error race, line 9
#include <pthread.h>

static int counter;

static void* work(void* arg) {
  ++counter;
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, work, NULL);
  pthread_create(&b, NULL, work, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
