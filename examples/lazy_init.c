// Double-checked locking: the first thread to arrive makes the object, under a mutex; later ones find it without taking
// the mutex. With -DWEAK the pointer is published with a relaxed store: a thread may find the object before it is
// filled in.
//
// $ heddle check lazy_init.c => verified
// $ heddle check lazy_init.c -- -DWEAK => error race, line 42
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef WEAK
#define PUBLISH memory_order_relaxed
#else
#define PUBLISH memory_order_release
#endif

struct config {
  int verbose;
  int answer;
};

static _Atomic(struct config*) shared;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static struct config* get(void) {
  struct config* c = atomic_load_explicit(&shared, memory_order_acquire);
  if (c) return c;
  pthread_mutex_lock(&mutex);
  c = atomic_load_explicit(&shared, memory_order_relaxed);
  if (!c) {
    c = malloc(sizeof *c);
    c->verbose = 0;
    c->answer = 42;
    atomic_store_explicit(&shared, c, PUBLISH);
  }
  pthread_mutex_unlock(&mutex);
  return c;
}

static void* use(void* arg) {
  assert(get()->answer == 42);
  return arg;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, use, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  free(atomic_load_explicit(&shared, memory_order_relaxed));
  return 0;
}
