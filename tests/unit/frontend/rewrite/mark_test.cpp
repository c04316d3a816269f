// What the optimiser must not lose or misunderstand.
#include <gtest/gtest.h>

#include "unit/frontend/double.hpp"

namespace heddle::testing {
namespace {

TEST(Mark, UnusedLoadsAreKept) {
  run_text(R"(
    #include <stdatomic.h>
    atomic_int x; int y; struct s { int a, b; } z, *p = &z;
    int get(void) { return y; }
    int main(void) {
      atomic_load_explicit(&x, memory_order_relaxed);
      y;
      int r = y;
      if (p->b) {}
      (void)get();
      return 0;
    })");
  EXPECT_EQ(count("load"), 1u);
  EXPECT_EQ(count("plain_load"), 5u);  // y, y, p, p->b, y
}

TEST(Mark, BitFieldStorePeeks) {
  EXPECT_EQ(run_text(R"(
    struct { unsigned a : 3, b : 5; int c : 7; } s;
    int main(void) { s.b = 9; s.c = -2; return s.b + s.c; })"),
            7);
  EXPECT_EQ(count("plain_peek"), 2u);
  EXPECT_EQ(count("plain_load"), 2u);
  EXPECT_EQ(count("plain_store"), 2u);
}

TEST(Mark, UndefinedBehaviourTraps) {
  const auto why = [](std::string_view text) -> std::string {
    try {
      run_text(text);
      return "";
    } catch (const Stopped& s) {
      return s.why;
    }
  };
  EXPECT_EQ(why("int c = 1; int main(void) { if (c) __builtin_unreachable(); return 0; }"), "trap");
  EXPECT_EQ(why("int c = 1; int main(void) { if (c) __builtin_trap(); return 0; }"), "trap");
}

TEST(Mark, StructPassedByValueIsRead) {
  run_text(R"(
    struct big { int a[10]; } g;
    __attribute__((noinline)) int take(struct big b) { return b.a[3]; }
    int main(void) { return take(g); })");
  EXPECT_EQ(count("copy"), 1u);
}

}  // namespace
}  // namespace heddle::testing
