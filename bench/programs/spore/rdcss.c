// RDCSS(N): SPORE (PLDI 2024), Fig. 2, Table 4 and appendix H.5. Restricted double-compare single-swap of Harris,
// Fraser and Pratt (DISC 2002): two threads do one RDCSS, N threads do a read and then an RDCSS with the value they
// have read.
#include <stdint.h>

#include "help.h"
#include "spore.h"

#define WRITERS 2

typedef uintptr_t value_t;  // a number, or the address of a descriptor marked by its lowest bit
typedef _Atomic(value_t) word_t;
typedef struct {
  word_t *a1, *a2;
  value_t o1, o2, n2;
} descriptor_t;

static value_t number(value_t i) { return i << 1; }
static bool is_descriptor(value_t value) { return value & 1; }
static value_t mark(const descriptor_t* d) { return (value_t)d | 1; }
static descriptor_t* unmark(value_t value) { return (descriptor_t*)(value - 1); }

// Returns what was there before.
static value_t cas(word_t* word, value_t expected, value_t desired) {
  atomic_compare_exchange_strong_explicit(word, &expected, desired, memory_order_acq_rel, memory_order_acquire);
  return expected;
}

static bool complete(value_t descriptor) {
  const descriptor_t* d = unmark(descriptor);
  const value_t r = atomic_load_explicit(d->a1, memory_order_acquire);
  return cas(d->a2, descriptor, r == d->o1 ? d->n2 : d->o2) == descriptor;
}

static value_t rdcss(const descriptor_t* d) {
  value_t r = cas(d->a2, d->o2, mark(d));
  while (is_descriptor(r)) {
    heddle_assume(HELPING(complete(r)));
    r = cas(d->a2, d->o2, mark(d));
  }
  if (r == d->o2) HELPED(complete(mark(d)));
  return r;
}

static value_t rdcss_read(word_t* a2) {
  value_t r = atomic_load_explicit(a2, memory_order_acquire);
  while (is_descriptor(r)) {
    heddle_assume(HELPING(complete(r)));
    r = atomic_load_explicit(a2, memory_order_acquire);
  }
  return r;
}

static word_t x, y;

static descriptor_t* new_descriptor(value_t o2, value_t n2) {
  descriptor_t* d = malloc(sizeof *d);
  *d = (descriptor_t){.a1 = &x, .a2 = &y, .o1 = number(0), .o2 = o2, .n2 = n2};
  return d;
}

static void* writer(void* arg) {
  (void)arg;
  rdcss(new_descriptor(number(0), number(42)));
  return NULL;
}

static void* reader_and_writer(void* arg) {
  (void)arg;
  const value_t value = rdcss_read(&y);
  rdcss(new_descriptor(value, value + number(1)));
  return NULL;
}

int main(void) {
  pthread_t threads[WRITERS + N + 1];
  start(threads, 1, WRITERS, writer);
  start(threads, WRITERS + 1, WRITERS + N, reader_and_writer);
  join(threads, 1, WRITERS + N);
  return 0;
}
