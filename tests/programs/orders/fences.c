// Where no order of the accesses themselves is gentle enough to be found first, a fence may be the answer; where two
// threads run the same line, one change is.
// $ heddle orders fences.c => exit 1, "fix: seq_cst at fences.c:23:3 (store x[0]) and seq_cst at fences.c:27:13 (load x[1])"
// $ heddle orders fences.c -- -DACQUIRE_RELEASE => exit 1, "then no execution of this test goes wrong"
// $ heddle orders fences.c -- -DFENCE => exit 0, "fence", "seq_cst", "needed; with a weaker one or none: assertion"
// $ heddle orders --model tso fences.c -- -DFENCE => exit 0, "needed; with a weaker one or none: assertion"
// $ heddle orders --model sc fences.c => exit 0, "relaxed already"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifdef ACQUIRE_RELEASE
#define LOAD memory_order_acquire
#define STORE memory_order_release
#else
#define LOAD memory_order_relaxed
#define STORE memory_order_relaxed
#endif

static atomic_int x[2];
static int saw[2];

static void enter(int me) {
  atomic_store_explicit(&x[me], 1, STORE);
#ifdef FENCE
  atomic_thread_fence(memory_order_seq_cst);
#endif
  saw[me] = atomic_load_explicit(&x[1 - me], LOAD);
}

static void* first(void* arg) {
  enter(0);
  return arg;
}

static void* second(void* arg) {
  enter(1);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(saw[0] || saw[1]);
}
