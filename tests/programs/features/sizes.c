// Atomics of every size, and every operation. 16 bytes go through the same model.
// $ heddle check sizes.c => verified, 1 executions
#include <assert.h>
#include <stdatomic.h>
#include <stdint.h>

static _Atomic uint8_t b;
static _Atomic uint16_t s;
static _Atomic uint32_t w;
static _Atomic uint64_t d;
static unsigned __int128 q;

#define CHECK(x, max)                                 \
  do {                                                \
    atomic_store(&x, max);                            \
    assert(atomic_fetch_add(&x, 2) == max);           \
    assert(atomic_fetch_sub(&x, 1) == 1);             \
    assert(atomic_fetch_or(&x, 6) == 0);              \
    assert(atomic_fetch_and(&x, 12) == 6);            \
    assert(atomic_fetch_xor(&x, 5) == 4);             \
    assert(atomic_exchange(&x, 9) == 1);              \
    assert(atomic_load(&x) == 9);                     \
  } while (0)

int main(void) {
  CHECK(b, UINT8_MAX);
  CHECK(s, UINT16_MAX);
  CHECK(w, UINT32_MAX);
  CHECK(d, UINT64_MAX);
  int n = 5;
  assert(__atomic_fetch_nand(&n, 4, __ATOMIC_RELAXED) == 5 && n == ~4);
  n = -3;
  assert(__atomic_fetch_max(&n, 2, __ATOMIC_RELAXED) == -3 && n == 2);
  assert(__atomic_fetch_min(&n, -8, __ATOMIC_RELAXED) == 2 && n == -8);
  const unsigned __int128 big = (unsigned __int128)1 << 100;
  __atomic_store_n(&q, big, __ATOMIC_SEQ_CST);
  assert(__atomic_fetch_add(&q, 1, __ATOMIC_SEQ_CST) == big);
  assert(__atomic_load_n(&q, __ATOMIC_SEQ_CST) == big + 1);
  unsigned __int128 expected = 0;
  assert(!__atomic_compare_exchange_n(&q, &expected, 5, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
  assert(expected == big + 1);
  assert(__atomic_compare_exchange_n(&q, &expected, 5, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
  assert(q == 5);
  return 0;
}
