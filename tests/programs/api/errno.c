// errno is a variable of each thread's own.
// $ heddle check errno.c => verified, 1 executions
#include <assert.h>
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>

static int* main_errno;

static void* f(void* arg) {
  assert(errno == 0);
  assert(&errno != main_errno);
  errno = 5;
  assert(strtol("99999999999999999999999", NULL, 10) != 0 && errno == ERANGE);
  return arg;
}

int main(void) {
  pthread_t t, u;
  main_errno = &errno;
  errno = 3;
  pthread_create(&t, NULL, f, NULL);
  pthread_create(&u, NULL, f, NULL);
  assert(errno == 3 && *main_errno == 3);
  volatile double x = -1;
  errno = 0;
  x = log(x);
  assert(errno == EDOM);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  assert(errno == EDOM);
  return 0;
}
