// What a helping operation would read is left out, but not the errors of reading it: the memory is freed, or written by a
// plain store, while somebody may still help. HELPER_FIRST swaps the threads.
// $ heddle check helping_memory.c => verified
// $ heddle check helping_memory.c -- -DHELPER_FIRST => verified
// $ heddle check helping_memory.c -- -DFREE => error memory, "which is freed"
// $ heddle check helping_memory.c -- -DFREE -DHELPER_FIRST => error memory, "is freed while T"
// $ heddle check helping_memory.c -- -DSTORE => error race, "data race on"
// $ heddle check helping_memory.c -- -DSTORE -DHELPER_FIRST => error race, "data race on"
// $ heddle check helping_memory.c -- -DRETIRE => error memory, "retired"
// $ heddle check helping_memory.c -- -DRETIRE -DHELPER_FIRST => error memory, "may still use it without a hazard pointer"
// $ heddle check helping_memory.c -- -DRETIRE -DPROTECT => verified
// $ heddle check helping_memory.c -- -DRETIRE -DPROTECT -DHELPER_FIRST => verified
// $ heddle check helping_memory.c -- -DPLAIN_LOAD => error annotation, "reads without an atomic load"
// $ heddle check --no-helping helping_memory.c -- -DPLAIN_LOAD => verified
// $ heddle check helping_memory.c -- -DPLAIN_STORE => error annotation, "stores"
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct descriptor {
  atomic_long value;
};

static _Atomic(struct descriptor*) published;
static atomic_long result;

static void complete(struct descriptor* d) {
#ifdef PLAIN_LOAD
  const long value = *(long*)&d->value;
#else
  const long value = atomic_load_explicit(&d->value, memory_order_acquire);
#endif
#ifdef PLAIN_STORE
  *(long*)&d->value = value;
#endif
  long expected = 0;
  atomic_compare_exchange_strong(&result, &expected, value);
}

static void* owner(void* arg) {
  struct descriptor* d = malloc(sizeof *d);
  atomic_store(&d->value, 7);
  (void)atomic_load(&result);
  atomic_store_explicit(&published, d, memory_order_release);
  heddle_helped(complete(d));
#if defined(FREE)
  free(d);
#elif defined(STORE)
  *(long*)&d->value = 8;
#elif defined(RETIRE)
  atomic_store(&published, NULL);
  heddle_hp_retire(d);
#endif
  return arg;
}

static void* helper(void* arg) {
#ifdef PROTECT
  heddle_hp_t hp = {0};
  struct descriptor* d = heddle_hp_protect(&hp, &published);
#else
  struct descriptor* d = atomic_load(&published);
#endif
  if (d != NULL) heddle_helping(complete(d));
#ifdef PROTECT
  heddle_hp_clear(&hp);
#endif
  return arg;
}

int main(void) {
  pthread_t threads[2];
#ifdef HELPER_FIRST
  pthread_create(&threads[1], NULL, helper, NULL);
#endif
  pthread_create(&threads[0], NULL, owner, NULL);
#ifndef HELPER_FIRST
  pthread_create(&threads[1], NULL, helper, NULL);
#endif
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  return 0;
}
