// A ring buffer for one producer and one consumer, without locks: real code from logging and audio systems. With -DWEAK
// the producer publishes its index with a relaxed store, and the consumer may read a slot that is still being filled.
//
// $ heddle check ring.c => verified
// $ heddle check ring.c -- -DWEAK => error race, line 33
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#define CAPACITY 2
#define ITEMS 3
#ifdef WEAK
#define PUBLISH memory_order_relaxed
#else
#define PUBLISH memory_order_release
#endif

static int slots[CAPACITY];
static atomic_uint head, tail;  // next to read, next to write

static bool push(int value) {
  const unsigned t = atomic_load_explicit(&tail, memory_order_relaxed);
  if (t - atomic_load_explicit(&head, memory_order_acquire) == CAPACITY) return false;
  slots[t % CAPACITY] = value;
  atomic_store_explicit(&tail, t + 1, PUBLISH);
  return true;
}

static bool pop(int* value) {
  const unsigned h = atomic_load_explicit(&head, memory_order_relaxed);
  if (h == atomic_load_explicit(&tail, memory_order_acquire)) return false;
  *value = slots[h % CAPACITY];
  atomic_store_explicit(&head, h + 1, memory_order_release);
  return true;
}

static void* produce(void* arg) {
  for (int i = 1; i <= ITEMS; ++i)
    if (!push(i)) break;
  return arg;
}

static void* consume(void* arg) {
  int value, expected = 1;
  for (int i = 0; i < ITEMS; ++i)
    if (pop(&value)) assert(value == expected++);
  return arg;
}

int main(void) {
  pthread_t p, c;
  pthread_create(&p, NULL, produce, NULL);
  pthread_create(&c, NULL, consume, NULL);
  pthread_join(p, NULL);
  pthread_join(c, NULL);
  return 0;
}
