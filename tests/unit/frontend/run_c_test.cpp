// C programs through the whole front end and the JIT.
#include <gtest/gtest.h>

#include "unit/frontend/double.hpp"

namespace heddle::testing {
namespace {

TEST(RunC, AtomicSizesAndTypes) {
  EXPECT_EQ(run_text(R"(
    #include <stdatomic.h>
    #include <stdint.h>
    #include <stdbool.h>
    _Atomic uint8_t a = 250; _Atomic int16_t b = -3; _Atomic uint32_t c; _Atomic int64_t d = -1;
    _Atomic float f = 1.5f; _Atomic double g = 2.0; atomic_bool h; int x; int* _Atomic p = &x; atomic_flag fl = ATOMIC_FLAG_INIT;
    struct pair { int l, r; }; _Atomic struct pair pr; _Atomic _Bool t = 1;
    int main(void) {
      if (atomic_fetch_add(&a, 10) != 250 || a != 4) return 1;
      if (atomic_fetch_sub(&b, 4) != -3 || b != -7) return 2;
      if (atomic_fetch_or(&c, 6) != 0 || atomic_fetch_and(&c, 3) != 6 || atomic_fetch_xor(&c, 7) != 2 || c != 5) return 3;
      if (atomic_exchange(&d, 8) != -1 || --d != 7) return 4;
      f += 2.25f; if (f != 3.75f) return 5;
      g *= 3; if (g != 6.0) return 6;
      h = true; if (!h) return 7;
      *p = 3; if (x != 3 || atomic_load(&p) != &x) return 8;
      if (atomic_flag_test_and_set(&fl) || !atomic_flag_test_and_set(&fl)) return 9;
      atomic_flag_clear(&fl); if (atomic_flag_test_and_set(&fl)) return 10;
      struct pair v = {1, 2}; atomic_store(&pr, v); v = atomic_load(&pr); if (v.r != 2) return 11;
      int64_t e = 6; if (atomic_compare_exchange_strong(&d, &e, 1) || e != 7) return 12;
      if (!atomic_compare_exchange_weak(&d, &e, 1) || d != 1) return 13;
      t ^= 1; if (t) return 14;
      if (__atomic_fetch_nand(&x, 1, __ATOMIC_RELAXED) != 3 || x != ~1) return 15;
      int m = __atomic_fetch_max(&x, 5, __ATOMIC_RELAXED); if (m != ~1 || x != 5) return 16;
      return 0;
    })"),
            0);
  EXPECT_EQ(count("plain_load") + count("plain_store"), 4u);  // *p and x
}

TEST(RunC, SixteenBytes) {
  EXPECT_EQ(run_text(R"(
    #include <stdatomic.h>
    #include <stdint.h>
    typedef struct { void* p; uint64_t tag; } tagged; _Atomic tagged t; _Atomic __int128 i = 5; _Atomic long double ld;
    int main(void) {
      tagged a = atomic_load(&t), b = {&t, 7}; if (a.p) return 1;
      if (!atomic_compare_exchange_strong(&t, &a, b)) return 2;
      if (atomic_compare_exchange_strong(&t, &a, b) || a.tag != 7) return 3;
      if (atomic_fetch_add(&i, (__int128)1 << 70) != 5 || (uint64_t)(i >> 70) != 1) return 4;
      tagged c = {0, 9}, o = atomic_exchange(&t, c); if (o.tag != 7) return 5;
      ld = 2.5L; if (ld != 2.5L) return 6;
      o = atomic_load(&t); return o.tag != 9;
    })"),
            0);
  EXPECT_EQ(count("cas16"), 2u);
}

TEST(RunC, LibraryAtomics) {
  EXPECT_EQ(run_text(R"(
    #include <stdatomic.h>
    #include <stdbool.h>
    #pragma pack(push, 1)
    struct { int c; int x; } s __attribute__((aligned(4)));  // clang does not see that x is aligned
    #pragma pack(pop)
    int main(void) {
      int v = 3, r, e = 4, d = 6;
      __atomic_store(&s.x, &v, __ATOMIC_RELEASE);
      __atomic_load(&s.x, &r, __ATOMIC_ACQUIRE); if (r != 3) return 1;
      if (__atomic_compare_exchange(&s.x, &e, &d, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED) || e != 3) return 2;
      if (!__atomic_compare_exchange(&s.x, &e, &d, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED) || s.x != 6) return 3;
      __atomic_exchange(&s.x, &v, &r, __ATOMIC_ACQ_REL); if (r != 6) return 4;
      if (__atomic_fetch_add(&s.x, 2, __ATOMIC_SEQ_CST) != 3) return 5;
      return !__atomic_is_lock_free(4, &s.x);
    })"),
            0);
  EXPECT_EQ(count("cas"), 2u);
  EXPECT_EQ(count("load"), 1u);
  EXPECT_EQ(count("store"), 1u);
  EXPECT_EQ(count("rmw"), 2u);
}

TEST(RunC, StructsByValueAndMemoryFunctions) {
  EXPECT_EQ(run_text(R"(
    #include <string.h>
    struct big { int a[10]; } g; int* shared; struct small { short s; char c; } sm = {4, 5};
    int take(struct big b) { shared = b.a; *shared += 1; return b.a[0] + b.a[9]; }
    struct big make(int x) { struct big b; for (int i = 0; i < 10; i++) b.a[i] = x + i; return b; }
    struct small twist(struct small s) { s.s += s.c; return s; }
    int main(void) {
      struct big b = make(1); g = b; if (take(g) != 12) return 1;
      memset(g.a, 1, 8); if (g.a[1] != 0x01010101) return 2;
      memmove(g.a + 1, g.a, 8); if (g.a[2] != 0x01010101) return 3;
      char buf[8]; strcpy(buf, "abc"); if (strlen(buf) != 3) return 4;
      sm = twist(sm); if (sm.s != 9) return 5;
      if (g.a[9] != 10) return 6;
      return 0;
    })"),
            0);
}

constexpr const char* kVariadic = R"(
    #include <stdarg.h>
    #include <stdio.h>
    #include <string.h>
    char text[64]; va_list* leaked;
    int sum(int n, ...) {
      va_list a, b; va_start(a, n); va_copy(b, a); leaked = &a; int s = 0;
      for (int i = 0; i < n; i++) s += va_arg(a, int);
      double d = 0; for (int i = 0; i < n; i++) va_arg(b, int); d = va_arg(b, double);
      va_end(a); va_end(b); return s + (int)d;
    }
    void format(const char* f, ...) { va_list a; va_start(a, f); vsnprintf(text, sizeof text, f, a); va_end(a); }
    int main(void) { format("%d-%s-%.1f", 4, "x", 2.5); return sum(8, 1, 2, 3, 4, 5, 6, 7, 8, 6.0) - 42 + strcmp(text, "4-x-2.5"); })";

TEST(RunC, VariableArguments) { EXPECT_EQ(run_text(kVariadic), 0); }

TEST(RunC, LongJump) {
  EXPECT_EQ(run_text(R"(
    #include <setjmp.h>
    jmp_buf env; int x;
    static void deep(int n) { if (n == 0) longjmp(env, 7); deep(n - 1); }
    int main(void) { volatile int v = 1; int r = setjmp(env); if (r == 0) { v = 2; deep(5); } return r * 10 + v - 72; })"),
            0);
}

TEST(RunC, FunctionPointersRecursionAndLibrary) {
  EXPECT_EQ(run_text(R"(
    #include <stdlib.h>
    #include <math.h>
    int v[5] = {4, 1, 3, 5, 2}; int (*op)(int, int); static int add(int a, int b) { return a + b; }
    int cmp(const void* a, const void* b) { return *(const int*)a - *(const int*)b; }
    int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
    __attribute__((constructor)) static void init(void) { op = add; }
    int ended; __attribute__((destructor)) static void fini(void) { ended = 1; }
    __int128 q = 100; double z = 2.0;
    int main(void) {
      qsort(v, 5, sizeof *v, cmp); if (v[0] != 1 || v[4] != 5) return 1;
      if (op(2, 3) != 5 || fib(10) != 55) return 2;
      if (q / 7 != 14 || fmod(7.5, z) != 1.5 || pow(z, 10) != 1024) return 3;
      switch (v[2]) { case 3: return 0; case 1: return 5; default: return 6; }
    })"),
            0);
}

TEST(RunC, ThreadLocal) {
  EXPECT_EQ(run_text(R"(
    static int g = 4; _Thread_local int a = 3; static __thread int* p = &g; _Thread_local char buf[100]; _Thread_local _Alignas(64) int al;
    int get(void) { static _Thread_local int n; return ++n; }
    int main(void) {
      a += *p; buf[99] = 1; get();
      if (a != 7 || get() != 2) return 1;
      int* q = g ? &a : &al; *q = 9; p = q;
      return a - 9;
    })"),
            0);
}

TEST(RunC, OptionsOfTheUserComeThrough) {
  const SourceFile file("int main(void) { return N - 5; }");
  const Program p = compile({.files = {file.path()}, .clang_args = {"-DN=5", "-O3", "-std=c99"}});
  EXPECT_TRUE(p.externals().empty());
}

TEST(RunC, VectorsAndOddSizes) {
  EXPECT_EQ(run_text(R"(
    typedef float v4 __attribute__((vector_size(16))); v4 a = {1, 2, 3, 4}; long double l = 1.5L; _BitInt(37) w = 100;
    struct { float x, y; } s = {1, 2}, t; _Complex double c = 1.0;
    int main(void) { a = a + a; l *= 2; w += 5; t = s; c += 1; return !(a[3] == 8 && l == 3 && w == 105 && t.y == 2 && __real__ c == 2); })"),
            0);
}

}  // namespace
}  // namespace heddle::testing
