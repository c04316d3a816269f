// One thread tries to get a mutex again and again, another one takes it again and again to look. The first may have met
// the second whenever it has tried, but that need not go on for ever; unless the mutex is never given back.
// $ heddle check trylock_and_poll.c => verified, 1 executions
// $ heddle check --algorithm rcmc trylock_and_poll.c => verified, 1 executions
// $ heddle check --algorithm await --model sc trylock_and_poll.c => verified, 1 executions
// $ heddle check trylock_and_poll.c -- -DPOLLER_FIRST => verified, 1 executions
// $ heddle check --algorithm rcmc trylock_and_poll.c -- -DPOLLER_FIRST => verified, 1 executions
// $ heddle check trylock_and_poll.c -- -DKEEPS => error livelock
// $ heddle check --algorithm rcmc trylock_and_poll.c -- -DKEEPS => error livelock
// $ heddle check --algorithm await --model sc trylock_and_poll.c -- -DKEEPS => error livelock
// $ heddle check trylock_and_poll.c -- -DSETS_NOTHING => error livelock
// $ heddle check --algorithm rcmc trylock_and_poll.c -- -DSETS_NOTHING => error livelock
// $ heddle check --algorithm await --model sc trylock_and_poll.c -- -DSETS_NOTHING => error livelock
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int flag;

static void* set(void* arg) {
  while (pthread_mutex_trylock(&mutex) != 0) {
  }
#ifndef SETS_NOTHING
  flag = 1;
#endif
  pthread_mutex_unlock(&mutex);
  return arg;
}

static void* poll(void* arg) {
  for (;;) {
    pthread_mutex_lock(&mutex);
    const int seen = flag;
#ifdef KEEPS
    if (seen == 0) return arg;
#endif
    pthread_mutex_unlock(&mutex);
    if (seen != 0) return arg;
  }
}

int main(void) {
  pthread_t setter, poller;
#ifdef POLLER_FIRST
  pthread_create(&poller, NULL, poll, NULL);
  pthread_create(&setter, NULL, set, NULL);
#else
  pthread_create(&setter, NULL, set, NULL);
  pthread_create(&poller, NULL, poll, NULL);
#endif
  pthread_join(setter, NULL);
  pthread_join(poller, NULL);
  return 0;
}
