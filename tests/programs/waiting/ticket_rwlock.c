// A ticket lock for readers and writers: a reader lets the next reader in at once, a writer only when it leaves.
// $ heddle check ticket_rwlock.c => verified, 28 executions
// $ heddle check --model sc ticket_rwlock.c => verified, 28 executions
// $ heddle check --model tso ticket_rwlock.c => verified, 28 executions
// $ heddle check --model ra ticket_rwlock.c => verified, 28 executions
// $ heddle check --algorithm rcmc ticket_rwlock.c => verified, 56 executions
// $ heddle check --algorithm await --model sc ticket_rwlock.c => verified, 24 executions
// $ heddle check ticket_rwlock.c -- -DWEAK => error race
// $ heddle check --algorithm rcmc ticket_rwlock.c -- -DWEAK => error race
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef WEAK
#define RELEASE memory_order_relaxed
#else
#define RELEASE memory_order_release
#endif

static atomic_uint tickets, may_read, may_write;
static int a, b;

static void wait_for(atomic_uint* turn, unsigned ticket) {
  while (atomic_load_explicit(turn, memory_order_acquire) != ticket) {
  }
}

static void read_lock(void) {
  const unsigned mine = atomic_fetch_add_explicit(&tickets, 1, memory_order_relaxed);
  wait_for(&may_read, mine);
  atomic_store_explicit(&may_read, mine + 1, memory_order_release);
}

static void read_unlock(void) { atomic_fetch_add_explicit(&may_write, 1, RELEASE); }

static void write_lock(void) { wait_for(&may_write, atomic_fetch_add_explicit(&tickets, 1, memory_order_relaxed)); }

static void write_unlock(void) {
  atomic_fetch_add_explicit(&may_write, 1, memory_order_release);
  atomic_fetch_add_explicit(&may_read, 1, memory_order_release);
}

static void* reader(void* arg) {
  read_lock();
  assert(a == b);
  read_unlock();
  return arg;
}

static void* writer(void* arg) {
  write_lock();
  ++a;
  ++b;
  write_unlock();
  return arg;
}

int main(void) {
  pthread_t r, s, w;
  pthread_create(&r, 0, reader, 0);
  pthread_create(&s, 0, reader, 0);
  pthread_create(&w, 0, writer, 0);
  writer(0);
  pthread_join(r, 0);
  pthread_join(s, 0);
  pthread_join(w, 0);
  assert(a == 2);
  return 0;
}
