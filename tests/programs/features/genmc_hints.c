// What tests for GenMC say of single accesses is taken as it stands: nothing is left out, and nothing is believed.
// $ heddle check genmc_hints.c => verified, 2 executions
// $ heddle check genmc_hints.c -- -DWRONG => error assertion here
// $ heddle check genmc_hints.c -- -Wall -Wextra -Werror => verified, 2 executions
#include <assert.h>
#include <genmc.h>
#include <stdatomic.h>

atomic_int x, y;
int plain;

// With WRONG the write is not the final one, although it says so.
static void* writer(void* argument) {
  __VERIFIER_local_write(plain = 1;);
  __VERIFIER_final_write(atomic_store_explicit(&x, 1, memory_order_release););
#ifdef WRONG
  atomic_store(&x, 2);
#endif
  return argument;
}

static void* reader(void* argument) {
  __VERIFIER_loop_begin();
  __VERIFIER_spin_start();
  int seen = __VERIFIER_speculative_read(atomic_load(&x));
  __VERIFIER_spin_end(seen);
  int expected = seen;
  if (__VERIFIER_confirming_CAS(atomic_compare_exchange_strong(&y, &expected, 5))) seen += 0;
  __VERIFIER_optional(atomic_load(&y););
  assert(seen < 2);  // here
  return argument;
}

int main(void) {
  int token = 7;
  __VERIFIER_thread_t w = __VERIFIER_spawn(writer, &token), r = __VERIFIER_spawn(reader, &token);
  __VERIFIER_assume(__VERIFIER_join(w));  // a pointer
  __VERIFIER_join(r);
  assert(plain == 1);
  int expected = 1;
  atomic_load(&x);
  const unsigned long long wide = (unsigned long long)expected << 40;
  __VERIFIER_assume(wide);  // not zero, although its lower half is
  __VERIFIER_final_CAS(atomic_compare_exchange_strong(&x, &expected, 3););
}
