// A loop that gives a mutex back and then decides by a copy, which lives in memory and which each round makes anew.
// $ heddle check --keep-going gap_copy.c => error livelock
// $ heddle check --keep-going gap_copy.c => error assertion here
// $ heddle check --keep-going --model sc --algorithm await gap_copy.c => error assertion here
// $ heddle check --no-purity --no-await --unroll 4 gap_copy.c => error assertion here
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int waiters, shared;
static atomic_int which;

static void* wait(void* unused) {
  const int n = atomic_load(&which);
  for (;;) {
    int copy[2];
    pthread_mutex_lock(&m);
    if (!waiters) waiters = 1;
    copy[0] = shared;
    copy[1] = 0;
    pthread_mutex_unlock(&m);
    if (copy[n]) break;
  }
  assert(0);  // here
  return unused;
}

static void put(int value) {
  pthread_mutex_lock(&m);
  shared = value;
  pthread_mutex_unlock(&m);
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, wait, 0);
  for (int is = 0; !is;) {
    pthread_mutex_lock(&m);
    is = waiters;
    pthread_mutex_unlock(&m);
  }
  put(1);
  put(0);
  pthread_join(t, 0);
}
