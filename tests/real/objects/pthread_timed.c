// What pthread.h and semaphore.h have with a time limit, on either clock.
// $ heddle check pthread_timed.c => verified
// $ heddle check --model sc pthread_timed.c => verified
// $ heddle check --model tso pthread_timed.c => verified
// $ heddle check --algorithm await --model sc pthread_timed.c => verified
// $ heddle check pthread_timed.c -- -DBUG => error assertion
// $ heddle check --model sc pthread_timed.c -- -DBUG => error assertion
// $ heddle check --algorithm await --model sc pthread_timed.c -- -DBUG => error assertion
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t c;
static sem_t s;
static int ready;

static void* work(void* arg) {
  (void)arg;
  pthread_rwlock_wrlock(&l);
  pthread_mutex_lock(&m);
  ready = 1;
  pthread_mutex_unlock(&m);
  pthread_rwlock_unlock(&l);
  pthread_cond_signal(&c);
  sem_post(&s);
  return NULL;
}

int main(void) {
  pthread_condattr_t attr;
  pthread_condattr_init(&attr);
  pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
  pthread_cond_init(&c, &attr);
  sem_init(&s, 0, 0);
  pthread_t t;
  pthread_create(&t, NULL, work, NULL);
  struct timespec soon;
  clock_gettime(CLOCK_MONOTONIC, &soon);
  soon.tv_sec += 1;
  pthread_mutex_lock(&m);
  int status = 0;
  while (!ready && status == 0) status = pthread_cond_timedwait(&c, &m, &soon);
  assert(ready || status == ETIMEDOUT);
#ifdef BUG
  assert(status == 0);
#endif
  if (status == ETIMEDOUT) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    assert(now.tv_sec > soon.tv_sec || (now.tv_sec == soon.tv_sec && now.tv_nsec >= soon.tv_nsec));
  }
  pthread_mutex_unlock(&m);
  status = pthread_rwlock_timedrdlock(&l, &soon);
  assert(status == 0 || status == ETIMEDOUT);
  if (status == 0) pthread_rwlock_unlock(&l);
  if (sem_timedwait(&s, &soon) != 0) assert(errno == ETIMEDOUT);
  pthread_join(t, NULL);
}
