// An estimate of a program in which a trylock can see that a waiting loop holds the mutex in passing.
// $ heddle estimate estimate_trylock.c => exit 0, "executions"
// $ heddle check estimate_trylock.c -- -DK=1 => verified
#include <pthread.h>
#include <stdatomic.h>

#ifndef K
#define K 3
#endif

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int flag, met, x;

static void* wait(void* arg) {
  for (;;) {
    pthread_mutex_lock(&m);
    const int is = atomic_load(&flag);
    pthread_mutex_unlock(&m);
    if (is) return arg;
  }
}

static void* try(void* arg) {
  if (pthread_mutex_trylock(&m) == 0) {
    pthread_mutex_unlock(&m);
  } else {
    atomic_fetch_add(&met, 1);
  }
  return arg;
}

static void* work(void* arg) {
  for (long i = 0; i < K; ++i) {
    atomic_store(&x, (int)((long)arg + i));
    atomic_load(&x);
  }
  return arg;
}

int main(void) {
  pthread_t a, b, c[2];
  pthread_create(&a, 0, try, 0);
  pthread_create(&b, 0, wait, 0);
  for (long i = 0; i < 2; ++i) pthread_create(&c[i], 0, work, (void*)(10 * i));
  pthread_join(a, 0);
  atomic_store(&flag, 1);
  pthread_join(b, 0);
  for (int i = 0; i < 2; ++i) pthread_join(c[i], 0);
}
