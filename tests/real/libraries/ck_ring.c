// The ring buffer of Concurrency Kit, with one producer and one consumer.
// needs: ck_ring.h
// $ heddle check ck_ring.c => verified
// $ heddle check --model tso ck_ring.c => verified
// $ heddle check --model sc ck_ring.c => verified
// $ heddle check ck_ring.c -- -DBUG => error race
#include <assert.h>
#include <ck_ring.h>
#include <pthread.h>
#include <stdbool.h>

static ck_ring_t ring;
static ck_ring_buffer_t slots[4];
static int data[2];

static void* produce(void* argument) {
  data[0] = 1;
  ck_ring_enqueue_spsc(&ring, slots, &data[0]);
  data[1] = 2;
  ck_ring_enqueue_spsc(&ring, slots, &data[1]);
#ifdef BUG
  data[1] = 3;
#endif
  return argument;
}

int main(void) {
  pthread_t t;
  ck_ring_init(&ring, 4);
  pthread_create(&t, 0, produce, 0);
  void* item;
  int seen = 0;
  for (int i = 0; i < 2; i++) {
    if (!ck_ring_dequeue_spsc(&ring, slots, &item)) break;
    assert(*(int*)item == ++seen);
  }
  pthread_join(t, 0);
  while (ck_ring_dequeue_spsc(&ring, slots, &item)) ++seen;
  assert(seen == 2);
}
