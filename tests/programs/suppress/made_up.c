// A trylock may seem to fail for no reason, where a waiting loop holds the mutex in passing. A race that needs such a
// failure is none of the program's.
// $ heddle check --suppress made_up.supp made_up.c => verified, 0 suppressed
// $ heddle check --suppress made_up.supp made_up.c --jobs 1 => verified, 0 suppressed
// $ heddle check --suppress made_up.supp made_up.c -- -DREAL => verified, 1 suppressed
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int flag, met;
static int statistic;

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

// No other thread uses the mutex then.
static void* later(void* arg) {
  if (pthread_mutex_trylock(&m) == 0) {
    pthread_mutex_unlock(&m);
#ifdef REAL
    statistic = 1;
#endif
  } else {
    statistic = 1;
  }
  return arg;
}

static void* other(void* arg) {
  statistic = 2;
  return arg;
}

int main(void) {
  pthread_t a, b, c, d;
  pthread_create(&a, 0, try, 0);
  pthread_create(&b, 0, wait, 0);
  pthread_join(a, 0);
  atomic_store(&flag, 1);
  pthread_join(b, 0);
  pthread_create(&c, 0, later, 0);
  pthread_create(&d, 0, other, 0);
  pthread_join(c, 0);
  pthread_join(d, 0);
}
