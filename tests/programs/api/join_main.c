// main may be joined. If it returns, the process ends, and nobody gets past the join.
// $ heddle check join_main.c => verified, 1 executions
// $ heddle check join_main.c -- -DRETURN => verified
#include <assert.h>
#include <pthread.h>

static pthread_t main_thread;
static int value;

static void* f(void* arg) {
  void* result = NULL;
  assert(pthread_join(main_thread, &result) == 0);
  assert(result == &value);
#ifdef RETURN
  assert(0);
#endif
  return arg;
}

int main(void) {
  pthread_t t;
  main_thread = pthread_self();
  pthread_create(&t, NULL, f, NULL);
#ifndef RETURN
  pthread_exit(&value);
#endif
  return 0;
}
