// A cas that fails reads with its order for failure: here it sees the store, and acquires nothing.
// $ heddle check race_failed_cas.c => error race here
// $ heddle check race_failed_cas.c => exit 1, "which orders nothing: the read is relaxed (needs acquire)"
// $ heddle check race_failed_cas.c -- -DFAILURE=memory_order_acquire => verified
#include <pthread.h>
#include <stdatomic.h>

#ifndef FAILURE
#define FAILURE memory_order_relaxed
#endif

static int data;
static atomic_int ready;

static void* writer(void* arg) {
  data = 1;
  atomic_store_explicit(&ready, 1, memory_order_release);
  return arg;
}

static void* reader(void* arg) {
  int expected = 0;
  if (!atomic_compare_exchange_strong_explicit(&ready, &expected, 2, memory_order_acq_rel, FAILURE))
    data = 2;  // here
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, writer, NULL);
  pthread_create(&b, NULL, reader, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
