// Two locks at once. One thread always takes the same one first, and waits for the other. The other thread does as
// std::lock: it waits for one and tries the other; if that is held it gives the first back and starts over with the
// other one.
// $ heddle check backoff.c => verified, 4 executions
// $ heddle check --model sc backoff.c => verified, 4 executions
// $ heddle check --model tso backoff.c => verified, 4 executions
// $ heddle check --model ra backoff.c => verified, 4 executions
// $ heddle check --algorithm rcmc backoff.c => verified, 4 executions
// $ heddle check --algorithm await --model sc backoff.c => verified, 4 executions
// $ heddle check backoff.c -- -DWEAK => error race
// $ heddle check --algorithm rcmc backoff.c -- -DWEAK => error race
// Nobody gives way:
// $ heddle check backoff.c -- -DSTUBBORN => error livelock
// $ heddle check --model sc backoff.c -- -DSTUBBORN => error livelock
// $ heddle check --algorithm await --model sc backoff.c -- -DSTUBBORN => error livelock
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef WEAK
#define RELEASE memory_order_relaxed
#else
#define RELEASE memory_order_release
#endif

static atomic_int held[2];
static int account[2] = {5, 5};

static void lock(int i) {
  while (atomic_exchange_explicit(&held[i], 1, memory_order_acquire)) {
  }
}

static int try_lock(int i) { return !atomic_exchange_explicit(&held[i], 1, memory_order_acquire); }

static void unlock(int i) { atomic_store_explicit(&held[i], 0, RELEASE); }

static void lock_both(int first) {
#ifdef STUBBORN
  lock(first);
  lock(1 - first);
#else
  while (lock(first), !try_lock(1 - first)) {
    unlock(first);
    first = 1 - first;
  }
#endif
}

static void transfer(int from) {
  account[from] -= 1;
  account[1 - from] += 1;
  unlock(0);
  unlock(1);
}

static void* in_order(void* arg) {
  lock(0);
  lock(1);
  transfer(0);
  return arg;
}

static void* in_any_order(void* arg) {
  lock_both(1);
  transfer(1);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, in_order, 0);
  pthread_create(&b, 0, in_any_order, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(account[0] == 5 && account[1] == 5);
  return 0;
}
