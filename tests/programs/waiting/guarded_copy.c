// Loops that copy a guarded struct into a variable of their own, and look at the copy. One that keeps what it has
// copied for later has changed something.
// $ heddle check guarded_copy.c -- -DCOPY=1 => verified, 1 executions
// $ heddle check guarded_copy.c -- -DCOPY=2 => verified, 1 executions
// $ heddle check guarded_copy.c -- -DCOPY=3 => verified, 1 executions
// $ heddle check guarded_copy.c -- -DCOPY=4 => verified, 1 executions
// $ heddle check --algorithm await --model sc guarded_copy.c -- -DCOPY=1 => verified
// $ heddle check guarded_copy.c -- -DCOPY=1 -DNEVER => error livelock
// $ heddle check guarded_copy.c -- -DKEEP=1 => error assertion here
// $ heddle check guarded_copy.c -- -DKEEP=2 => error assertion here
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

static struct State {
  int round, a, b;
} state;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* other(void* arg) {
#ifndef NEVER
  for (int i = 1; i <= 2; ++i) {
    pthread_mutex_lock(&mutex);
    state = (struct State){i, i, i};
    pthread_mutex_unlock(&mutex);
  }
#endif
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, other, NULL);
#ifdef KEEP
  struct State kept = {0, 0, 0};
  int seen = 0;
#endif
  for (;;) {
    struct State now;
    pthread_mutex_lock(&mutex);
#if defined KEEP
    now = state;
#elif COPY == 1
    now = state;
#elif COPY == 2
    memcpy(&now, &state, sizeof now);
#elif COPY == 3
    now.round = state.round;
    now.a = state.a;
    now.b = state.b;
#else
    for (size_t i = 0; i < sizeof now / sizeof(int); ++i) ((int*)&now)[i] = ((int*)&state)[i];
#endif
    pthread_mutex_unlock(&mutex);
    if (now.round == 2) break;
#if KEEP == 1
    kept = now;
#elif KEEP == 2
    memcpy(&kept, &now, sizeof kept);
#endif
  }
#ifdef KEEP
  seen = kept.a;
  assert(seen != 1);  // here
#endif
  pthread_join(thread, NULL);
}
