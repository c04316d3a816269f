// exit with a status other than 0, in a thread.
// $ heddle check exit_in_thread.c => error exit here
// $ heddle check exit_in_thread.c -- -DSTATUS=0 => verified
#include <pthread.h>
#include <stdlib.h>

#ifndef STATUS
#define STATUS 3
#endif

static void* f(void* arg) {
  exit(STATUS);  // here
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, f, NULL);
  pthread_join(t, NULL);
  return 0;
}
