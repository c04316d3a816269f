// exit(0) in a thread ends the process: nobody gets past a join of it, and who waits for its mutex is not stuck.
// $ heddle check process_exit.c => verified
// $ heddle check process_exit.c -- -DHANDLER => error assertion here
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void* f(void* arg) {
  pthread_mutex_lock(&m);
  exit(0);
  return arg;
}

#ifdef HANDLER
static void handler(void) {
  assert(0);  // here
}
#endif

int main(void) {
#ifdef HANDLER
  atexit(handler);
#endif
  pthread_t a, b;
  pthread_create(&a, NULL, f, NULL);
  pthread_create(&b, NULL, f, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(0);
}
