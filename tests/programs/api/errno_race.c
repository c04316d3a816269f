// Another thread's errno is a variable like others: it can be raced for, and it ends with its thread.
// $ heddle check errno_race.c => error
// $ heddle check errno_race.c -- -DJOINED => error memory here
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>

static int* _Atomic place;
static _Thread_local int other = 1;

static void* f(void* arg) {
  ++other;
  place = &errno;
  errno = 1;
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, f, NULL);
#ifdef JOINED
  pthread_join(t, NULL);
  *place = 2;  // here
#else
  int* p = place;
  if (p != NULL) *p = 2;
  pthread_join(t, NULL);
#endif
  return 0;
}
