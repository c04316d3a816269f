// Message passing with one order too weak: the flag is raised with a relaxed store, so seeing it says nothing about
// `data`. heddle reports the data race. Under --model sc the flag still orders nothing in the sense of the C standard,
// so it is a race there too.
//
// $ heddle check mp_relaxed.c => error race, line 21
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int flag;

static void* producer(void* arg) {
  data = 42;
  atomic_store_explicit(&flag, 1, memory_order_relaxed);
  return arg;
}

static void* consumer(void* arg) {
  if (atomic_load_explicit(&flag, memory_order_acquire)) {
    assert(data == 42);
  }
  return arg;
}

int main(void) {
  pthread_t p, c;
  pthread_create(&p, NULL, producer, NULL);
  pthread_create(&c, NULL, consumer, NULL);
  pthread_join(p, NULL);
  pthread_join(c, NULL);
  return 0;
}
