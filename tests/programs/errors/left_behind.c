// When main returns, the process ends: a detached thread that would wait for ever is left behind, which is no error. One
// that somebody could still join, or whose process goes on after pthread_exit, has no excuse.
// $ heddle check left_behind.c => verified, 1 executions
// $ heddle check --model sc left_behind.c => verified
// $ heddle check --algorithm rcmc left_behind.c => verified
// $ heddle check --algorithm await --model sc left_behind.c => verified
// $ heddle check left_behind.c -- -DCREATED => verified, 1 executions
// $ heddle check left_behind.c -- -DMUTEX => verified
// $ heddle check left_behind.c -- -DJOINABLE => error livelock
// $ heddle check --algorithm rcmc left_behind.c -- -DJOINABLE => error livelock
// $ heddle check --algorithm await --model sc left_behind.c -- -DJOINABLE => error livelock
// $ heddle check left_behind.c -- -DEXITS => error livelock
// $ heddle check left_behind.c -- -DMUTEX -DJOINABLE => error deadlock
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void* wait_for_two(void* arg) {
#ifdef MUTEX
  pthread_mutex_lock(&m);
#endif
  while (x != 2) {
  }
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_attr_t attribute;
  pthread_attr_init(&attribute);
#ifdef CREATED
  pthread_attr_setdetachstate(&attribute, PTHREAD_CREATE_DETACHED);
#endif
#ifdef MUTEX
  pthread_mutex_lock(&m);
#endif
  pthread_create(&t, &attribute, wait_for_two, NULL);
#if !defined(CREATED) && !defined(JOINABLE)
  pthread_detach(t);
#endif
  x = 1;
#ifdef EXITS
  pthread_exit(NULL);
#endif
  return 0;
}
