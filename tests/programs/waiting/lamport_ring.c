// Lamport's ring for one producer and one consumer: one slot stays empty. Each end keeps what it has last seen of the
// other, and looks again only when it would have to wait.
// $ heddle check lamport_ring.c => verified, 12 executions
// $ heddle check --model sc lamport_ring.c => verified, 12 executions
// $ heddle check --model tso lamport_ring.c => verified, 12 executions
// $ heddle check --model ra lamport_ring.c => verified, 12 executions
// $ heddle check --algorithm rcmc lamport_ring.c => verified, 12 executions
// $ heddle check --algorithm await --model sc lamport_ring.c => verified, 12 executions
// $ heddle check lamport_ring.c -- -DWEAK => error race
// $ heddle check --algorithm rcmc lamport_ring.c -- -DWEAK => error race
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef WEAK
#define RELEASE memory_order_relaxed
#else
#define RELEASE memory_order_release
#endif
#define SIZE 3
#define ITEMS 4

static int slot[SIZE];
static atomic_int head, tail;

static int after(int i) { return (i + 1) % SIZE; }

static void* producer(void* arg) {
  int mine = 0, seen = 0;
  for (int item = 1; item <= ITEMS; ++item) {
    while (after(mine) == seen) seen = atomic_load_explicit(&head, memory_order_acquire);
    slot[mine] = item;
    mine = after(mine);
    atomic_store_explicit(&tail, mine, memory_order_release);
  }
  return arg;
}

static void* consumer(void* arg) {
  int mine = 0, seen = 0;
  for (int item = 1; item <= ITEMS; ++item) {
    while (mine == seen) seen = atomic_load_explicit(&tail, memory_order_acquire);
    assert(slot[mine] == item);
    mine = after(mine);
    atomic_store_explicit(&head, mine, RELEASE);
  }
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
