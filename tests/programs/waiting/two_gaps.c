// A loop that gives its mutex back in two places. Each round takes one way or the other, as it likes, and has changed
// nothing; whoever looks between them sees nothing but that the mutex is free.
// $ heddle check two_gaps.c => verified
// $ heddle check --model sc two_gaps.c => verified
// $ heddle check --model sc --algorithm await two_gaps.c => verified
// $ heddle check --time-limit 3 two_gaps.c -- -DCOUNTS => incomplete
#include <assert.h>
#include <pthread.h>

_Bool __VERIFIER_nondet_bool(void);

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int ready, rounds;

static void* wait(void* arg) {
  pthread_mutex_lock(&m);
  while (!ready) {
    if (__VERIFIER_nondet_bool()) {
      pthread_mutex_unlock(&m);
      pthread_mutex_lock(&m);
    } else {
#ifdef COUNTS
      ++rounds;
#endif
      pthread_mutex_unlock(&m);
      pthread_mutex_lock(&m);
    }
  }
  assert(ready == 1);
  pthread_mutex_unlock(&m);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, wait, NULL);
  pthread_mutex_lock(&m);
  ready = 1;
  pthread_mutex_unlock(&m);
  pthread_join(t, NULL);
}
