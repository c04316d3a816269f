// Message passing: the producer fills in `data`, then raises `flag`. Release and acquire make it right: a consumer
// that sees the flag also sees the data.
//
// $ heddle check mp.c => verified, 2 executions
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int flag;

static void* producer(void* arg) {
  data = 42;
  atomic_store_explicit(&flag, 1, memory_order_release);
  return arg;
}

static void* consumer(void* arg) {
  if (atomic_load_explicit(&flag, memory_order_acquire)) assert(data == 42);
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
