// A thread waits for a flag in a loop, as everybody writes it. If nobody sets the flag, that is a livelock.
// $ heddle check flag.c => verified
// $ heddle check --model sc flag.c => verified
// $ heddle check --model tso flag.c => verified
// $ heddle check --algorithm rcmc flag.c => verified
// $ heddle check --algorithm await --model sc flag.c => verified
// $ heddle check flag.c -- -DWEAK => error race
// $ heddle check --algorithm rcmc flag.c -- -DWEAK => error race
// $ heddle check flag.c -- -DNEVER => error livelock, here
// $ heddle check --algorithm rcmc flag.c -- -DNEVER => error livelock, here
// $ heddle check --model sc flag.c -- -DNEVER => error livelock, here
// $ heddle check --algorithm await --model sc flag.c -- -DNEVER => error livelock, here
// $ heddle check --algorithm await --model sc --no-await flag.c -- -DNEVER => error livelock, here
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef WEAK
#define RELEASE memory_order_relaxed
#else
#define RELEASE memory_order_release
#endif
#ifndef N
#define N 1
#endif

static atomic_int flag;
static int data;

static void* producer(void* arg) {
  data = 42;
#ifndef NEVER
  atomic_store_explicit(&flag, 1, RELEASE);
#endif
  return arg;
}

static void* consumer(void* arg) {
  while (!atomic_load_explicit(&flag, memory_order_acquire)) {  // here
  }
  assert(data == 42);
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
