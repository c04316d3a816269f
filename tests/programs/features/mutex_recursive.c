// A recursive mutex may be locked again by its holder, and is free after as many unlocks. Nobody else can unlock it.
// $ heddle check --no-symmetry mutex_recursive.c => verified, 2 executions
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t m;
static int x;

static void add(int n) {
  pthread_mutex_lock(&m);
  ++x;
  if (n) add(n - 1);
  pthread_mutex_unlock(&m);
}

// POSIX: who does not hold it is told so.
static void* other(void* arg) {
  assert(pthread_mutex_unlock(&m) == EPERM);
  return arg;
}

static void* f(void* arg) {
  add(2);
  return arg;
}

int main(void) {
  pthread_mutexattr_t a;
  pthread_mutexattr_init(&a);
  pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&m, &a);
  pthread_mutexattr_destroy(&a);
  pthread_t t, u;
  assert(pthread_mutex_unlock(&m) == EPERM);
  pthread_mutex_lock(&m);
  pthread_create(&t, NULL, other, NULL);
  pthread_join(t, NULL);
  pthread_mutex_unlock(&m);
  pthread_create(&t, NULL, f, NULL);
  pthread_create(&u, NULL, f, NULL);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  assert(x == 6);
  pthread_mutex_destroy(&m);
  return 0;
}
