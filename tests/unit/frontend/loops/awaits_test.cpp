// Which reads of loops wait, and for which values.
#include <gtest/gtest.h>

#include <functional>

#include "unit/frontend/double.hpp"

namespace heddle::testing {
namespace {

constexpr int64_t kNumbers[] = {0,  1,  2,  3,   4,   5,   6,   7,    8,     9,     10,      61,
                                62, 63, 64, 100, 127, 128, 255, 256,  65535, 65536, 1000000, INT32_MAX,
                                -1, -2, -3, -5,  -61, -62, -63, -128, -129,  -1000, -65536,  INT32_MIN};

const std::string kHead = R"(
  #include <stdatomic.h>
  #include <stddef.h>
  int printf(const char*, ...);
  static atomic_int x, y;
  static int seven = 7;
  #define load(a) atomic_load(&a)
)";

std::vector<Awaited> awaits_of(const std::string& before, const std::string& loop) {
  awaited.clear();
  const std::string text =
      kHead + "int main(void) { const int mine = seven; (void)mine; " + before + "; " + loop + " return 0; }";
  run_text(text);
  return awaited;
}

struct OneRead {
  std::string loop;
  std::function<bool(int)> goes_on;
  int start = -1;  // ends the loop at once
};

TEST(Awaits, WaitForTheValuesThatEndTheLoop) {
  const OneRead loops[] = {
      {"while (!load(x)) {}", [](int v) { return v != 0; }, 1},
      {"while (load(x) != mine) {}", [](int v) { return v == 7; }, 7},
      {"while (mine > load(x)) {}", [](int v) { return v >= 7; }, 7},
      {"while ((load(x) & 6) == 0) {}", [](int v) { return (v & 6) != 0; }, 2},
      {"while ((unsigned)load(x) < 8) {}", [](int v) { return unsigned(v) >= 8; }, 8},
      {"while ((signed char)load(x) >= 0) {}", [](int v) { return static_cast<signed char>(v) < 0; }},
      {"while ((unsigned char)load(x) < 200) {}", [](int v) { return static_cast<unsigned char>(v) >= 200; }, 255},
      {"while ((short)load(x) != -1) {}", [](int v) { return static_cast<short>(v) == -1; }},
      {"int v; do v = load(x); while (v != 1 && v <= 5);", [](int v) { return v == 1 || v > 5; }, 1},
      {"for (;;) { int v = load(x); if (v == 1 || v > 5) break; }", [](int v) { return v == 1 || v > 5; }, 1},
      {"for (;;) { int v = load(x); if (v == 1000000 || v > 5) break; }", [](int v) { return v > 5; }, 6},
      {"for (;;) { int v = load(x); if ((unsigned)v * v % 7 == 2) break; }",
       [](int v) { return unsigned(v) * unsigned(v) % 7 == 2; }, 3},
      {"for (;;) { int v = load(x); if (v == -100 || v == mine || v == 5000 || (v & 0x10400) == 0x400) break; }",
       [](int v) { return v == -100 || v == 7 || v == 5000 || (v & 0x10400) == 0x400; }, 7},
      {"for (;;) { int v = load(x); if ((v & 1) || v == mine) break; }", [](int v) { return (v & 1) || v == 7; }, 1},
      {"for (;;) { int v = load(x); if ((v & 8) || v == mine) break; }", [](int v) { return (v & 8) || v == 7; }, 7},
      {"for (;;) { int v = load(x); if (!(v & 1) && v != mine + 1) break; }", [](int v) { return !(v & 1) && v != 8; },
       2},
      {"for (;;) { int v = load(x); if (v < -2 || v == 0 || v == 3 || v > 62 - 1) break; }",
       [](int v) { return v < -2 || v == 0 || v == 3 || v > 61; }, 3},
      {"for (;;) { int v = load(x); if ((unsigned)v > 9 && v != -1 && v != 10) break; }",
       [](int v) { return unsigned(v) > 9 && v != -1 && v != 10; }, 11},
      {"for (;;) { switch (load(x)) { case 1: case 2: case -5: break; default: continue; } break; }",
       [](int v) { return v == 1 || v == 2 || v == -5; }, -5},
      {"for (;;) { switch (load(x)) { case 0: case 2: case 10: continue; } break; }",
       [](int v) { return v != 0 && v != 2 && v != 10; }, 1},
      {"for (;;) { int v = load(x); _Bool small = v < 3; if (small == 0) break; }", [](int v) { return v >= 3; }, 3},
      {"for (;;) { int v = load(x); int found = v == 2 || v == 3; if (found) break; }",
       [](int v) { return v == 2 || v == 3; }, 2},
      // Where it goes round, but has changed something, it does not wait.
      {"while (atomic_exchange(&x, 1)) {}", [](int v) { return v != 1; }, 0},
      {"while (atomic_exchange(&x, mine) != 0) {}", [](int v) { return v != 7; }, 0},
      {"while (atomic_fetch_or(&x, 4) & 4) {}", [](int v) { return (v & 4) == 0; }, 0},
      {"while (atomic_fetch_or(&x, 6) & 4) {}", [](int v) { return (v & 6) != 6; }, 0},
      {"while (atomic_fetch_or(&x, 4) & 6) {}", [](int v) { return (v & 4) == 0; }, 0},
      {"while (!(atomic_fetch_and(&x, ~1) & 1)) {}", [](int v) { return (v & 1) != 0; }, 1},
      {"int e = 3; while (!atomic_compare_exchange_strong(&x, &e, 4)) e = 3;", [](int v) { return v == 3; }, 3},
  };
  for (const OneRead& l : loops) {
    const auto awaits = awaits_of("x = " + std::to_string(l.start), l.loop);
    ASSERT_EQ(awaits.size(), 1u) << l.loop;
    EXPECT_FALSE(awaits[0].in_round) << l.loop;
    for (const int64_t n : kNumbers) {
      const auto v = static_cast<int>(n);
      EXPECT_EQ(awaits[0].goes_on(v), l.goes_on(v)) << l.loop << ": " << n;
    }
  }
}

TEST(Awaits, TheValueReadMayBeUsedAfterwards) {
  const std::string head = "static int n; static _Atomic(int*) p; ";
  const auto awaits = [&](const std::string& loop) {
    awaited.clear();
    EXPECT_EQ(run_text(kHead + head + "int main(void) { atomic_store(&p, &n); int* q; " + loop + " return *q; }"), 0);
    return awaited;
  };
  EXPECT_EQ(awaits("while (!(q = atomic_load(&p))) {}").size(), 1u);
  EXPECT_EQ(awaits("do q = atomic_load(&p); while (q == NULL);").size(), 1u);
  EXPECT_EQ(awaits("do q = atomic_load(&p); while (q == NULL || q == (int*)1);").size(), 1u);
  EXPECT_EQ(awaits("do q = atomic_load(&p); while (q == &seven);").size(), 1u);
}

// What it reads before decides, too; so it is told that there is something.
TEST(Awaits, TheLastReadOfARoundWaits) {
  const auto one = [](const std::string& before, const std::string& loop) {
    const auto awaits = awaits_of(before, loop);
    EXPECT_EQ(awaits.size(), 1u) << loop;
    EXPECT_TRUE(!awaits.empty() && awaits[0].in_round) << loop;
    return [a = awaits.empty() ? Awaited{} : awaits[0]](int v) { return a.goes_on(v); };
  };
  const auto same = one("x = 5", "int s; do s = load(x); while (load(x) != s);");
  EXPECT_TRUE(same(5));
  EXPECT_FALSE(same(4));
  const auto both = one("x = 1; y = 3", "while (load(x) && load(y) != 3) {}");
  EXPECT_TRUE(both(3));
  EXPECT_FALSE(both(0));
  const auto known = one("x = 1; y = 1", "for (;;) { int a = load(x), b = load(y); if (a && b) break; }");
  EXPECT_TRUE(known(2));
  EXPECT_FALSE(known(0));
  // The first read lets it go already.
  EXPECT_TRUE(one("x = 1", "for (;;) { int a = load(x), b = load(y); if (a || b) break; }")(0));
  EXPECT_EQ(awaits_of("x = 0; y = 1", "while (load(x) && load(y)) {}").size(), 0u);
  EXPECT_EQ(awaits_of("x = 0; y = 0", "while (load(x) || load(y)) {}").size(), 2u);
}

TEST(Awaits, ARoundThatDoesSomethingIsGone) {
  const auto none = [](const std::string& before, const std::string& loop) {
    EXPECT_EQ(awaits_of(before, loop).size(), 0u) << loop;
  };
  none("x = 1", "while (!load(x)) y = 1;");
  none("x = 1", "while (!load(x)) printf(\"%s\", \"\");");
  none("x = 1", "while (!load(x)) load(y);");
  none("x = 1", "while (!load(x)) seven = 2;");
  none("x = 1", "for (int i = 0; i < 3 && !load(x); i++) {}");
  none("x = 1", "for (;;) { y = 0; if (load(x)) break; }");
  none("x = 1", "for (;;) { atomic_fetch_add(&y, 1); if (load(x)) break; }");
  none("x = 1", "while (atomic_fetch_add(&x, 1) == 0) {}");
  none("x = 1", "int e = 0; while (!atomic_compare_exchange_strong(&x, &e, 4)) {}");
  // The inner loop waits; when it has the lock, the round has changed something.
  EXPECT_EQ(awaits_of("x = 0; y = 1", "for (;;) { while (atomic_exchange(&x, 1)) {} if (load(y)) break; }").size(), 1u);
}

}  // namespace
}  // namespace heddle::testing
