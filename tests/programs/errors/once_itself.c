// pthread_once from its own initialiser: main waits for itself, before there is any other thread.
// $ heddle check once_itself.c => error deadlock here
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void init(void) {
  pthread_once(&once, init);  // here
}

int main(void) {
  pthread_once(&once, init);
  return 0;
}
