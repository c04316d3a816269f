// A thread that spins for a while, then yields now and then, then sleeps, and never gives up. Its counter decides
// nothing that anybody can see, so that it is left out and the loop waits for one value.
// $ heddle check spin_then_yield.c => verified, 1 executions
// $ heddle check --model sc spin_then_yield.c => verified, 1 executions
// $ heddle check --model tso spin_then_yield.c => verified, 1 executions
// $ heddle check --algorithm rcmc spin_then_yield.c => verified, 1 executions
// $ heddle check --algorithm await --model sc spin_then_yield.c => verified, 1 executions
// $ heddle check spin_then_yield.c -- -DEARLY => error race
// $ heddle check --algorithm await --model sc spin_then_yield.c -- -DEARLY => error race
// $ heddle check spin_then_yield.c -- -DNEVER => error livelock
// $ heddle check --model sc spin_then_yield.c -- -DNEVER => error livelock
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int ready;
static int data;

static void* producer(void* arg) {
#ifndef EARLY
  data = 1;
#endif
#ifndef NEVER
  atomic_store_explicit(&ready, 1, memory_order_release);
#endif
#ifdef EARLY
  data = 1;
#endif
  return arg;
}

static void* consumer(void* arg) {
  for (int i = 0; !atomic_load_explicit(&ready, memory_order_acquire); ++i) {
    if (i < 100) continue;
    if (i < 200)
      sched_yield();
    else
      usleep(i);
  }
  assert(data == 1);
  return arg;
}

int main(void) {
  pthread_t p, c;
  pthread_create(&p, 0, producer, 0);
  pthread_create(&c, 0, consumer, 0);
  pthread_join(p, 0);
  pthread_join(c, 0);
  return 0;
}
