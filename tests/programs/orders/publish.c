// Which orders a test needs: each is weakened by itself.
// $ heddle orders publish.c => exit 0, "publish.c:27:3", "store flag", "release", "needed; with a weaker one: race, publish.c:33:"
// $ heddle orders publish.c => exit 0, "load flag", "acquire", "needed; with a weaker one: race"
// $ heddle orders publish.c => exit 0, "read-modify-write count", "seq_cst", "relaxed is enough for this test"
// $ heddle orders publish.c => exit 0, "fence", "not needed by this test"
// $ heddle orders --model sc publish.c => exit 0, "needed; with a weaker one: race"
// $ heddle orders --format json publish.c => exit 0, enough
// And which it lacks.
// $ heddle orders publish.c -- -DORDER=memory_order_relaxed => exit 1, "fix: release at publish.c:27:3 (store flag): then no execution of this test goes wrong"
// $ heddle orders publish.c -- -DWRONG => exit 1, "it is not a matter of memory orders"
// $ heddle orders --max-executions 1 publish.c => exit 3
// $ heddle orders => exit 2, "usage: heddle orders"
// $ heddle check publish.c -- -DORDER=memory_order_relaxed => exit 1, "fix: release at publish.c:27:3"
// $ heddle check --no-hints publish.c -- -DORDER=memory_order_relaxed => exit 1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef ORDER
#define ORDER memory_order_release
#endif

static int data;
static atomic_int flag, count;

static void* producer(void* arg) {
  data = 1;
  atomic_store_explicit(&flag, 1, ORDER);
  atomic_fetch_add(&count, 1);
  return arg;
}

static void* consumer(void* arg) {
  if (atomic_load_explicit(&flag, memory_order_acquire)) assert(data == 1);
  atomic_thread_fence(memory_order_seq_cst);
  atomic_fetch_add(&count, 1);
#ifdef WRONG
  assert(atomic_load(&count) == 2);
#endif
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, producer, 0);
  pthread_create(&b, 0, consumer, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
