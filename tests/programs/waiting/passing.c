// A waiting loop holds a mutex in passing. Its rounds can be left out unless a trylock has seen the mutex held: then the
// thread goes on after such a round, and both can be seen.
// $ heddle check passing.c => error assertion
// $ heddle check --model sc passing.c => error assertion
// $ heddle check --model tso passing.c => error assertion
// $ heddle check --algorithm rcmc passing.c => error assertion
// $ heddle check --algorithm await --model sc passing.c => error assertion
// $ heddle check passing.c -- -DRIGHT => verified
// $ heddle check --model sc passing.c -- -DRIGHT => verified
// $ heddle check --algorithm rcmc passing.c -- -DRIGHT => verified
// $ heddle check --algorithm await --model sc passing.c -- -DRIGHT => verified
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int seen, done;

static void* take_both(void* arg) {
  for (;;) {
    pthread_mutex_lock(&a);
    if (pthread_mutex_trylock(&b) == 0) break;
    pthread_mutex_unlock(&a);
  }
  done = 1;
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  return arg;
}

static void* look(void* arg) {
  if (pthread_mutex_trylock(&a) != 0) {
    seen = 1;
    pthread_mutex_lock(&a);
  }
  pthread_mutex_unlock(&a);
  return arg;
}

int main(void) {
  pthread_t taker, looker;
  pthread_mutex_lock(&b);
  pthread_create(&taker, NULL, take_both, NULL);
  pthread_create(&looker, NULL, look, NULL);
  pthread_join(looker, NULL);
  pthread_mutex_unlock(&b);
  pthread_join(taker, NULL);
#ifdef RIGHT
  assert(done);
#else
  assert(!(seen && done));
#endif
  return 0;
}
