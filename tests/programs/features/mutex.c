// A mutex orders its critical sections: one execution for each order of three threads.
// $ heddle check --no-symmetry mutex.c => verified, 6 executions
// $ heddle check --no-symmetry --model sc mutex.c => verified, 6 executions
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void* f(void* arg) {
  pthread_mutex_lock(&m);
  ++x;
  pthread_mutex_unlock(&m);
  return arg;
}

int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; ++i) pthread_create(&t[i], NULL, f, NULL);
  for (int i = 0; i < 3; ++i) pthread_join(t[i], NULL);
  assert(x == 3);
  pthread_mutex_destroy(&m);
  return 0;
}
