// A bounded buffer with two condition variables. One condition variable for both sides and pthread_cond_signal may wake
// the wrong one.
// $ heddle check pthread_cond.c => verified
// $ heddle check --model sc pthread_cond.c => verified
// $ heddle check --model tso pthread_cond.c => verified
// $ heddle check --algorithm await --model sc pthread_cond.c => verified
// $ heddle check pthread_cond.c -- -DONE => error deadlock
// $ heddle check --model sc pthread_cond.c -- -DONE => error deadlock
// $ heddle check --algorithm await --model sc pthread_cond.c -- -DONE => error deadlock
// $ heddle check pthread_cond.c -- -DTWO_MUTEXES => error mutex, "is used with"
// $ heddle check --model sc pthread_cond.c -- -DTWO_MUTEXES => error mutex, "is used with"
// $ heddle check --algorithm await --model sc pthread_cond.c -- -DTWO_MUTEXES => error mutex, "is used with"
// $ heddle check pthread_cond.c -- -DNOT_HELD => error mutex, "does not hold"
// $ heddle check --model sc pthread_cond.c -- -DNOT_HELD => error mutex, "does not hold"
// $ heddle check --algorithm await --model sc pthread_cond.c -- -DNOT_HELD => error mutex, "does not hold"
// $ heddle check pthread_cond.c -- -DDESTROYED => error mutex, "destroyed"
// $ heddle check --model sc pthread_cond.c -- -DDESTROYED => error mutex, "destroyed"
// $ heddle check --algorithm await --model sc pthread_cond.c -- -DDESTROYED => error mutex, "destroyed"
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER, emptied = PTHREAD_COND_INITIALIZER;
#ifdef ONE
#define FILLED filled
#define EMPTIED filled
#else
#define FILLED filled
#define EMPTIED emptied
#endif
static int full, taken;

static void* put(void* arg) {
  (void)arg;
  pthread_mutex_lock(&m);
  while (full) pthread_cond_wait(&EMPTIED, &m);
  full = 1;
  pthread_cond_signal(&FILLED);
  pthread_mutex_unlock(&m);
  return NULL;
}

static void* take(void* arg) {
  (void)arg;
  pthread_mutex_lock(&m);
  while (!full) pthread_cond_wait(&FILLED, &m);
  full = 0;
  ++taken;
  pthread_cond_signal(&EMPTIED);
  pthread_mutex_unlock(&m);
  return NULL;
}

static void* wait_otherwise(void* arg) {
  (void)arg;
  pthread_mutex_lock(&other);
  pthread_cond_wait(&filled, &other);
  pthread_mutex_unlock(&other);
  return NULL;
}

int main(void) {
  pthread_t t[4];
#if defined TWO_MUTEXES
  pthread_create(&t[0], NULL, wait_otherwise, NULL);
  pthread_mutex_lock(&m);
  pthread_cond_wait(&filled, &m);
  pthread_mutex_unlock(&m);
  return 0;
#elif defined NOT_HELD
  pthread_cond_wait(&filled, &m);
#elif defined DESTROYED
  pthread_cond_destroy(&filled);
  pthread_cond_signal(&filled);
#endif
  pthread_create(&t[0], NULL, put, NULL);
  pthread_create(&t[1], NULL, take, NULL);
  pthread_create(&t[2], NULL, put, NULL);
  pthread_create(&t[3], NULL, take, NULL);
  for (int i = 0; i < 4; ++i) pthread_join(t[i], NULL);
  assert(taken == 2 && !full);
  pthread_cond_destroy(&filled);
  (void)wait_otherwise;
}
