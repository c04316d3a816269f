// Dekker's mutual exclusion: a thread says that it wants to enter, waits while the other one wants to, and gives way if
// it is not its turn. What it wants is said by a relaxed store, and looked at by an acquire load: each thread may
// overlook the other, and both are inside at once. With -DRIGHT both are seq_cst.
//
// $ heddle check dekker_relaxed.c => error race here
// $ heddle check --model sc dekker_relaxed.c => verified
// $ heddle check dekker_relaxed.c -- -DRIGHT => verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef RIGHT
#define SAY memory_order_seq_cst
#define LOOK memory_order_seq_cst
#else
#define SAY memory_order_relaxed
#define LOOK memory_order_acquire
#endif

static atomic_int wants[2], turn;
static int counter;  // only touched inside

static void enter(int me) {
  atomic_store_explicit(&wants[me], 1, SAY);
  while (atomic_load_explicit(&wants[1 - me], LOOK)) {
    if (atomic_load_explicit(&turn, memory_order_relaxed) == me) continue;
    atomic_store_explicit(&wants[me], 0, memory_order_relaxed);
    while (atomic_load_explicit(&turn, memory_order_acquire) != me) {
    }
    atomic_store_explicit(&wants[me], 1, SAY);
  }
}

static void leave(int me) {
  atomic_store_explicit(&turn, 1 - me, memory_order_release);
  atomic_store_explicit(&wants[me], 0, memory_order_release);
}

static void* work(void* arg) {
  const int me = (int)(long)arg;
  enter(me);
  ++counter;  // here
  leave(me);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (long i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, work, (void*)i);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  assert(counter == 2);
  return 0;
}
