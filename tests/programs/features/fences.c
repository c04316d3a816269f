// Message passing with relaxed accesses and fences.
// $ heddle check fences.c => verified, 2 executions
// $ heddle check fences.c -- -DNO_FENCE => error race here
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int flag;

static void* producer(void* arg) {
  data = 42;  // here
#ifndef NO_FENCE
  atomic_thread_fence(memory_order_release);
#endif
  atomic_store_explicit(&flag, 1, memory_order_relaxed);
  return arg;
}

static void* consumer(void* arg) {
  if (atomic_load_explicit(&flag, memory_order_relaxed)) {
    atomic_thread_fence(memory_order_acquire);
    assert(data == 42);  // here
  }
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, producer, NULL);
  pthread_create(&b, NULL, consumer, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
