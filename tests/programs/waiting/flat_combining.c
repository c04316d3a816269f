// Flat combining: each thread writes down what it wants. Whoever gets the lock does it for all; the others wait for
// their answer, or for the lock. In two more executions a thread gets the lock, finds that nothing is left to be done, and
// gives it back: such a round is left out.
// $ heddle check flat_combining.c => verified, 4 executions
// $ heddle check --model sc flat_combining.c => verified, 4 executions
// $ heddle check --model tso flat_combining.c => verified, 4 executions
// $ heddle check --model ra flat_combining.c => verified, 4 executions
// $ heddle check --algorithm rcmc flat_combining.c => verified, 4 executions
// $ heddle check --algorithm await --model sc flat_combining.c => verified, 4 executions
// $ heddle check flat_combining.c -- -DWEAK => error race
// $ heddle check --algorithm rcmc flat_combining.c -- -DWEAK => error race
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef WEAK
#define RELEASE memory_order_relaxed
#else
#define RELEASE memory_order_release
#endif
#define N 2

struct request {
  int amount, answer;
  atomic_int pending;
};
static struct request request[N];
static atomic_int held;
static int sum;

static void combine(void) {
  for (int i = 0; i < N; ++i) {
    if (!atomic_load_explicit(&request[i].pending, memory_order_acquire)) continue;
    sum += request[i].amount;
    request[i].answer = sum;
    atomic_store_explicit(&request[i].pending, 0, RELEASE);
  }
}

static int add(int me, int amount) {
  request[me].amount = amount;
  atomic_store_explicit(&request[me].pending, 1, memory_order_release);
  while (atomic_load_explicit(&request[me].pending, memory_order_acquire)) {
    if (!atomic_exchange_explicit(&held, 1, memory_order_acquire)) {
      combine();
      atomic_store_explicit(&held, 0, memory_order_release);
    }
  }
  return request[me].answer;
}

static void* worker(void* arg) {
  const int me = (int)(long)arg;
  const int answer = add(me, me + 1);
  assert(answer == me + 1 || answer == 3);
  return 0;
}

int main(void) {
  pthread_t t[N];
  for (long i = 0; i < N; ++i) pthread_create(&t[i], 0, worker, (void*)i);
  for (int i = 0; i < N; ++i) pthread_join(t[i], 0);
  assert(sum == 3);
  return 0;
}
