// What a program is told of its processor is the same everywhere: a plain one. So it takes the default of each choice.
// $ heddle check processor.c => verified
// $ heddle check processor.c -- -fno-pie => verified
// x86_64: $ heddle check processor.c -- -DXBEGIN -mrtm => exit 2, "hardware transactions"
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#define BETTER "avx2"
#else
#define BETTER "sve2"
#endif

__attribute__((target_clones(BETTER, "default"))) int twice(int x) { return 2 * x; }

static int one(void) { return 1; }
static int (*choose(void))(void) { return one; }
int chosen(void) __attribute__((ifunc("choose")));

// Larger than two registers.
struct three {
  long a, b, c;
};
__attribute__((noinline)) static long sum(int n, ...) {
  va_list list;
  va_start(list, n);
  long result = 0;
  for (int i = 0; i < n; ++i) {
    const struct three s = va_arg(list, struct three);
    result += s.a + 10 * s.b + 100 * s.c;
  }
  va_end(list);
  return result;
}

int main(void) {
  assert(twice(chosen()) == 2);
  const struct three s = {1, 2, 3}, t = {4, 5, 6};
  long (*volatile f)(int, ...) = sum;
  assert(sum(2, s, t) == 975 && f(2, t, s) == 975);
  fprintf(stderr, "%d\n", twice(1));
#if defined(__x86_64__)
  __builtin_cpu_init();
  assert(__builtin_cpu_supports("sse2") && !__builtin_cpu_supports("avx2"));
  unsigned a, b, c, d;
  assert(__get_cpuid(0, &a, &b, &c, &d));
  asm volatile("lock; addl $0,(%%rsp)" ::: "memory", "cc");
#endif
#ifdef XBEGIN
  return (int)_xbegin();
#endif
}
