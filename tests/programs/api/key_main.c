// Values of keys are destroyed when a thread ends, main too if it calls pthread_exit, and not when the process ends.
// $ heddle check key_main.c => verified, 1 executions
// $ heddle check key_main.c -- -DPTHREAD_EXIT => error assertion here
// $ heddle check key_main.c -- -DTHREAD => error assertion here
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_key_t key;

static void destroy(void* p) {
  assert(p == NULL);  // here
}

static void* f(void* arg) {
  pthread_setspecific(key, &key);
  return arg;
}

int main(void) {
  pthread_key_create(&key, destroy);
  f(NULL);
#ifdef THREAD
  pthread_t t;
  pthread_create(&t, NULL, f, NULL);
  pthread_join(t, NULL);
#endif
#ifdef PTHREAD_EXIT
  pthread_exit(NULL);
#endif
  return 0;
}
