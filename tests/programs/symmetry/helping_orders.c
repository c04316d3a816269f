// Orders that make helping differ from being helped: each hides an error if the help is left out, so each is refused.
// $ heddle check helping_orders.c => verified
// $ heddle check helping_orders.c -- -DFENCE => error annotation, "release fence"
// $ heddle check helping_orders.c -- -DSC_BEFORE => error annotation, "SC access"
// $ heddle check helping_orders.c -- -DREAD_ORDER => error annotation, "same reads"
// $ heddle check helping_orders.c -- -DNEW_VALUE => error annotation, "new value"
// $ heddle check helping_orders.c -- -DSKIP => error annotation, "must do its cas"
// $ heddle check helping_orders.c -- -DCHOOSE => error annotation, "chooses"
// $ heddle check helping_orders.c -- -DFREES => error annotation, "frees memory"
// $ heddle check --model sc helping_orders.c -- -DRELAXED => error annotation, "must be a release"
// $ heddle check --no-helping helping_orders.c -- -DFENCE => error race
// $ heddle check --no-helping helping_orders.c -- -DREAD_ORDER => error race
// $ heddle check --no-helping --model sc helping_orders.c -- -DRELAXED => error race
// What main did before there were threads counts as its own:
// $ heddle check helping_orders.c -- -DMAIN => verified
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define RLX memory_order_relaxed
#define ACQ memory_order_acquire
#define REL memory_order_release

#if defined(FENCE)
#define CAS RLX, RLX
#elif defined(SC_BEFORE)
#define CAS memory_order_seq_cst, memory_order_seq_cst
#else
#define CAS memory_order_acq_rel, ACQ
#endif
#ifdef RELAXED
#define ANNOUNCE RLX
#define LOOK RLX
#else
#define ANNOUNCE REL
#define LOOK ACQ
#endif

static int data;
static atomic_int next, tail, state;

static void advance(int v) {
  int expected = 0;
  atomic_compare_exchange_strong_explicit(&tail, &expected, v, CAS);
}

static void complete(memory_order order, int helper) {
  int v = 1;
#ifdef READ_ORDER
  v += atomic_load_explicit(&state, order);
#elif defined(NEW_VALUE)
  const int s = atomic_load_explicit(&state, ACQ);
  v = !helper ? s + 1 : s == 1 ? 9 : 1;
#elif defined(SKIP)
  if (atomic_load_explicit(&state, ACQ) == 1) return;
#elif defined(CHOOSE)
  v += (int)heddle_choose(1 + (unsigned)helper);
#elif defined(FREES)
  free(malloc(1));
#endif
  (void)order;
  (void)helper;
  advance(v);
}

static void* owner(void* arg) {
  (void)atomic_load_explicit(&tail, RLX);
#if !defined(READ_ORDER)
  data = 1;
#endif
#ifdef FENCE
  atomic_thread_fence(REL);
#elif defined(SC_BEFORE)
  atomic_store(&next, 5);
#endif
  atomic_store_explicit(&next, 1, ANNOUNCE);
  heddle_helped(complete(ACQ, 0));
  return arg;
}

static void* helper(void* arg) {
  if (atomic_load_explicit(&next, LOOK) == 1) heddle_helping(complete(RLX, 1));
  return arg;
}

static void* reader(void* arg) {
#ifdef READ_ORDER
  if (atomic_load_explicit(&tail, ACQ) == 2) data = 2;
#else
  if (atomic_load_explicit(&tail, ACQ)) data = 2;
#endif
  return arg;
}

static void* writer(void* arg) {
#ifdef READ_ORDER
  data = 1;
  atomic_store_explicit(&state, 1, REL);
#elif defined(NEW_VALUE) || defined(SKIP)
  atomic_store_explicit(&state, 1, RLX);
#endif
  return arg;
}

int main(void) {
  pthread_t threads[4];
#ifdef MAIN
  int expected = 0;
  atomic_store(&tail, 0);
  pthread_create(&threads[1], NULL, helper, NULL);
  atomic_store_explicit(&next, 1, ANNOUNCE);
  heddle_helped(complete(ACQ, 0));
  pthread_join(threads[1], NULL);
  (void)expected;
#else
  pthread_create(&threads[0], NULL, owner, NULL);
  pthread_create(&threads[1], NULL, helper, NULL);
  pthread_create(&threads[2], NULL, reader, NULL);
  pthread_create(&threads[3], NULL, writer, NULL);
  for (int i = 0; i < 4; ++i) pthread_join(threads[i], NULL);
#endif
  return 0;
}
