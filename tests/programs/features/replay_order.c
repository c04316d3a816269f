// The cas of T3 is revisited by the write of T4, and its own write revisits the read of T2: in the replay T3 must
// wait for T4, whose plain write it reads.
//
// $ heddle check replay_order.c => verified, 20 executions
// $ heddle check --algorithm rcmc replay_order.c => verified, 20 executions
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int flag;
static int d;
static void* zero(void* a) {
  atomic_store_explicit(&flag, 5, memory_order_relaxed);
  return a;
}
static void* one(void* a) {
  if (atomic_load_explicit(&flag, memory_order_acquire) == 2) assert(d == 1);
  return a;
}
static void* two(void* a) {
  int one = 1;
  if (atomic_compare_exchange_strong_explicit(&flag, &one, 2, memory_order_acq_rel, memory_order_acquire))
    assert(d == 1);
  return a;
}
static void* three(void* a) {
  d = 1;
  atomic_store_explicit(&flag, 1, memory_order_release);
  return a;
}
int main(void) {
  pthread_t t[4];
  pthread_create(&t[3], 0, zero, 0);
  pthread_create(&t[0], 0, one, 0);
  pthread_create(&t[1], 0, two, 0);
  pthread_create(&t[2], 0, three, 0);
  for (int i = 0; i < 4; ++i) pthread_join(t[i], 0);
}
