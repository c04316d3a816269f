// C11 condition variables, timed mutexes, thread-specific storage and call_once.
// $ heddle check c11_threads.c => verified
// $ heddle check --model sc c11_threads.c => verified
// $ heddle check --model tso c11_threads.c => verified
// $ heddle check --algorithm await --model sc c11_threads.c => verified
// $ heddle check c11_threads.c -- -DBUG => error deadlock
// $ heddle check --model sc c11_threads.c -- -DBUG => error deadlock
// $ heddle check --algorithm await --model sc c11_threads.c -- -DBUG => error deadlock
#include <assert.h>
#include <stdlib.h>
#include <threads.h>
#include <time.h>

static mtx_t m;
static cnd_t c;
static tss_t key;
static once_flag once = ONCE_FLAG_INIT;
static int ready, made, destroyed;

static void destroy(void* p) {
  ++destroyed;
  free(p);
}
static void make(void) {
  ++made;
  tss_create(&key, destroy);
}

static int consumer(void* arg) {
  (void)arg;
  call_once(&once, make);
  tss_set(key, malloc(1));
  mtx_lock(&m);
  while (!ready) cnd_wait(&c, &m);
  mtx_unlock(&m);
  return 5;
}

int main(void) {
  mtx_init(&m, mtx_timed);
  cnd_init(&c);
  thrd_t t;
  thrd_create(&t, consumer, NULL);
  call_once(&once, make);
  struct timespec now;
  timespec_get(&now, TIME_UTC);
  const int status = mtx_timedlock(&m, &now);
  assert(status == thrd_success || status == thrd_timedout);
  if (status == thrd_timedout) mtx_lock(&m);
  ready = 1;
  mtx_unlock(&m);
#ifndef BUG
  cnd_signal(&c);
#endif
  int result;
  thrd_join(t, &result);
  assert(result == 5 && made == 1 && destroyed == 1);
  cnd_destroy(&c);
  mtx_destroy(&m);
}
