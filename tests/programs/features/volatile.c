// volatile as some projects use it: a flag that tells that the data is there. That is a race, unless volatile accesses are
// to count as relaxed atomic ones; then the data still needs an order.
// $ heddle check volatile.c => error race here, "volatile is not atomic"
// $ heddle check --volatile relaxed volatile.c => error race, "data race on data"
// $ heddle check --volatile relaxed volatile.c -- -DFENCES => verified
// $ heddle check --volatile relaxed --model tso volatile.c -- -DFENCES => verified
// $ heddle check --volatile plain volatile.c -- -DFENCES => error race
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef FENCES
#define FENCE(order) atomic_thread_fence(order)
#else
#define FENCE(order)
#endif

static volatile int ready;
static int data;

static void* writer(void* arg) {
  data = 1;
  FENCE(memory_order_release);
  ready = 1;  // here
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, writer, NULL);
  if (ready) {  // here
    FENCE(memory_order_acquire);
    assert(data == 1);
  }
  pthread_join(t, NULL);
}
