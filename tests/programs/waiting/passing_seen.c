// A trylock of a mutex that a waiting loop holds in passing fails, and then: the thread waits for ever at another mutex;
// two others are in a deadlock; it turns round for ever; nobody ends the loop; or all is well, and who is alone at the
// end gets the mutex. Trylocks of other mutexes cost nothing.
// $ heddle check passing_seen.c -- -DKEPT => error livelock
// $ heddle check --algorithm rcmc passing_seen.c -- -DKEPT => error livelock
// $ heddle check --algorithm await --model sc passing_seen.c -- -DKEPT => error livelock
// $ heddle check passing_seen.c -- -DENDLESS => error livelock
// $ heddle check --algorithm await --model sc passing_seen.c -- -DENDLESS => error livelock
// $ heddle check --time-limit 600 passing_seen.c -- -DNEVER => error livelock
// $ heddle check --time-limit 600 --algorithm rcmc passing_seen.c -- -DNEVER => error livelock
// $ heddle check --time-limit 600 passing_seen.c -- -DALONE => verified
// $ heddle check --time-limit 600 --algorithm await --model sc passing_seen.c -- -DALONE => verified
// $ heddle check --time-limit 600 passing_seen.c -- -DOTHERS => verified, 3 executions
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static atomic_int flag, met;

static void* wait_for_flag(void* arg) {
  for (;;) {
    pthread_mutex_lock(&m);
    const int is = atomic_load(&flag);
    pthread_mutex_unlock(&m);
    if (is) return arg;
  }
}

static void* try(void* arg) {
  if (pthread_mutex_trylock(&m) == 0) {
    pthread_mutex_unlock(&m);
    return arg;
  }
#if defined(KEPT)
  while (pthread_mutex_trylock(&other) != 0) {
  }
  pthread_mutex_unlock(&other);
#elif defined(ENDLESS)
  while (1) sched_yield();
#else
  atomic_fetch_add(&met, 1);
#endif
  return arg;
}

int main(void) {
  pthread_t waiter, trier;
#ifdef KEPT
  pthread_mutex_lock(&other);
#endif
  pthread_create(&trier, NULL, try, NULL);
  pthread_create(&waiter, NULL, wait_for_flag, NULL);
#ifdef ENDLESS
  atomic_store(&flag, 1);
  pthread_join(waiter, NULL);
  pthread_join(trier, NULL);
#else
  pthread_join(trier, NULL);
#ifdef NEVER
  if (met == 0)
#endif
    atomic_store(&flag, 1);
#ifdef OTHERS
  for (int i = 0; i < 12; i++) {
    assert(pthread_mutex_trylock(&other) == 0);
    pthread_mutex_unlock(&other);
  }
#endif
  pthread_join(waiter, NULL);
  assert(pthread_mutex_trylock(&m) == 0);
#endif
  return 0;
}
