// Waits for condition variables in a loop, which end for no reason.
// $ heddle check --spurious-wakeups spurious.c => verified
// $ heddle check --spurious-wakeups --model sc spurious.c => verified
// $ heddle check --spurious-wakeups --model sc --algorithm await spurious.c => verified
// $ heddle check --spurious-wakeups spurious.c -- -DLIMIT => verified
// $ heddle check --spurious-wakeups spurious.c -- -DTHREADS_H => verified
// $ heddle check --spurious-wakeups spurious.c -- -DONCE => error assertion
// $ heddle check spurious.c -- -DONCE => verified
// $ heddle check --spurious-wakeups spurious.c -- -DLOST => error deadlock
#include <assert.h>
#include <pthread.h>
#include <threads.h>
#include <time.h>

#ifdef THREADS_H
static mtx_t m;
static cnd_t c;
#define LOCK mtx_lock(&m)
#define UNLOCK mtx_unlock(&m)
#define WAIT cnd_wait(&c, &m)
#define SIGNAL cnd_signal(&c)
#else
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
#define LOCK pthread_mutex_lock(&m)
#define UNLOCK pthread_mutex_unlock(&m)
#define SIGNAL pthread_cond_signal(&c)
#ifdef LIMIT
static struct timespec limit = {1, 0};
#define WAIT pthread_cond_timedwait(&c, &m, &limit)
#else
#define WAIT pthread_cond_wait(&c, &m)
#endif
#endif
static int ready;

static void* work(void* arg) {
  LOCK;
#ifdef ONCE
  if (!ready) WAIT;
#else
  while (!ready) WAIT;
#endif
  assert(ready);
  UNLOCK;
  return arg;
}

int main(void) {
#ifdef THREADS_H
  mtx_init(&m, mtx_plain);
  cnd_init(&c);
#endif
  pthread_t t;
  pthread_create(&t, NULL, work, NULL);
  LOCK;
  ready = 1;
#ifndef LOST
  SIGNAL;
#endif
  UNLOCK;
  pthread_join(t, NULL);
}
