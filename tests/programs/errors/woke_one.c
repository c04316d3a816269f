// Two threads wait, and one is woken. The signal before that is lost, too, but it is not to blame.
// $ heddle check --hints woke_one.c => error deadlock, "line 31 has woken only one of 2 threads that waited: if it wakes all"
// $ heddle check woke_one.c -- -DALL => verified
// A signal that comes before the thread waits, and of which it knows nothing:
// $ heddle check --hints woke_one.c -- -DFORGETS -DN=1 => error deadlock, "line 31 has notified it too early"
// Nobody is to blame whose mending would not help alone.
// $ heddle check --hints woke_one.c -- -DFORGETS => error deadlock, no "has woken", no "too early"
#include <pthread.h>
#include <stdbool.h>

#ifndef N
#define N 2
#endif

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool set;

static void* wait_for_it(void* arg) {
  pthread_mutex_lock(&m);
#ifdef FORGETS
  pthread_cond_wait(&changed, &m);
#endif
  while (!set) pthread_cond_wait(&changed, &m);
  pthread_mutex_unlock(&m);
  return arg;
}

static void notify(void) {
#ifndef ALL
  pthread_cond_signal(&changed);
#else
  pthread_cond_broadcast(&changed);
#endif
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; ++i) pthread_create(&t[i], 0, wait_for_it, 0);
  pthread_mutex_lock(&m);
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&m);

  pthread_mutex_lock(&m);
  set = true;
  notify();
  pthread_mutex_unlock(&m);
  for (int i = 0; i < N; ++i) pthread_join(t[i], 0);
}
