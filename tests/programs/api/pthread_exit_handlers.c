// When main calls pthread_exit, the last thread to end calls the exit handlers.
// $ heddle check pthread_exit_handlers.c => error assertion here
// $ heddle check pthread_exit_handlers.c -- -DNOT_JOINED => exit 2, "join the threads first"
// $ heddle check pthread_exit_handlers.c -- -DNOT_JOINED -DNO_HANDLER => verified, 1 executions
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void handler(void) {
  assert(0);  // here
}

static void* f(void* arg) { return arg; }

int main(void) {
#ifndef NO_HANDLER
  atexit(handler);
#endif
  (void)handler;
  pthread_t t;
  pthread_create(&t, NULL, f, NULL);
#ifndef NOT_JOINED
  pthread_join(t, NULL);
#endif
  pthread_exit(NULL);
}
