// The location of a helping operation is freed meanwhile: reported although the operation is left out.
// $ heddle check helping_freed.c => error memory
// $ heddle check --no-helping helping_freed.c => error memory
// $ heddle check helping_freed.c -- -DKEEP => verified
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int* word;
static atomic_int announced;

static void* owner(void* arg) {
  int zero = atomic_load_explicit(word, memory_order_acquire);
  if (zero != 0) return arg;
  atomic_store_explicit(&announced, 1, memory_order_release);
  heddle_helped(atomic_compare_exchange_strong_explicit(word, &zero, 1, memory_order_acq_rel, memory_order_acquire));
#ifndef KEEP
  free(word);
#endif
  return arg;
}

static void* helper(void* arg) {
  int zero = 0;
  if (atomic_load_explicit(&announced, memory_order_acquire) == 1)
    heddle_helping(atomic_compare_exchange_strong_explicit(word, &zero, 1, memory_order_acq_rel, memory_order_acquire));
  return arg;
}

int main(void) {
  pthread_t t[2];
  word = malloc(sizeof *word);
  atomic_init(word, 0);
  pthread_create(&t[0], NULL, owner, NULL);
  pthread_create(&t[1], NULL, helper, NULL);
  pthread_join(t[0], NULL);
  pthread_join(t[1], NULL);
  return 0;
}
