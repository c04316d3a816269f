// trylock succeeds or returns EBUSY: either thread may come first, or the second finds the mutex taken.
// $ heddle check mutex_trylock.c => verified
// $ heddle check mutex_trylock.c -- -DBOTH => error assertion here
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;
static int got[2];

static void* f(void* arg) {
  const long me = (long)arg;
  const int status = pthread_mutex_trylock(&m);
  assert(status == 0 || status == EBUSY);
  if (status) return NULL;
  ++x;
  got[me] = 1;
  pthread_mutex_unlock(&m);
  return NULL;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, NULL, f, (void*)0);
  pthread_create(&u, NULL, f, (void*)1);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  assert(got[0] || got[1]);
  assert(x == got[0] + got[1]);
#ifdef BOTH
  assert(x == 2);  // here
#endif
  return 0;
}
