// Each thread has its own copy, with the initial value.
// $ heddle check thread_local.c => verified, 1 executions
#include <assert.h>
#include <pthread.h>

static _Thread_local int x = 7;
static _Thread_local char buffer[100];

static void* f(void* arg) {
  assert(x == 7 && buffer[99] == 0);
  x = (int)(long)arg;
  buffer[99] = 1;
  assert(x == (int)(long)arg);
  return NULL;
}

int main(void) {
  pthread_t t, u;
  x = 100;
  pthread_create(&t, NULL, f, (void*)1);
  pthread_create(&u, NULL, f, (void*)2);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  assert(x == 100 && buffer[99] == 0);
  return 0;
}
