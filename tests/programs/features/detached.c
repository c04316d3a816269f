// main does not wait: pthread_exit lets the others finish.
// $ heddle check --no-symmetry detached.c => verified, 2 executions
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void* f(void* arg) {
  atomic_fetch_add(&x, 1);
  return arg;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, NULL, f, NULL);
  pthread_create(&u, NULL, f, NULL);
  pthread_detach(t);
  pthread_detach(u);
  pthread_exit(NULL);
}
