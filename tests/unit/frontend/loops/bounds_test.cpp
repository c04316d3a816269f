// How often a loop may go round.
#include <gtest/gtest.h>

#include "unit/frontend/double.hpp"

namespace heddle::testing {
namespace {

TEST(LoopBounds, SilentLoopRunsOutOfFuel) {
  const Image image = load_text("int main(void) {\n  for (;;)\n    ;\n}");
  try {
    run(image);
    FAIL();
  } catch (const Stopped& s) {
    EXPECT_EQ(s.why, "spin");
    EXPECT_EQ(image.sites[SiteId(s.site)].line, 2u);
  }
  EXPECT_THROW(run_text("int main(void) { again: goto again; }"), Stopped);
  EXPECT_THROW(run_text("#include <stdbool.h>\nint main(void) { volatile bool b = true; do {} while (b); return 0; }"),
               Stopped);
}

TEST(LoopBounds, UnrollCutsAfterN) {
  const char* loop =
      "int n = 3; int main(void) { int s = 0; for (int k = 0; k < 2; k++) for (int i = 0; i < n; i++) s++; return s; }";
  EXPECT_EQ(run_text(loop, ".c", {{.rounds = 3}}), 6);  // three rounds are allowed, again at each entry
  EXPECT_THROW(run_text(loop, ".c", {{.rounds = 2}}), Stopped);
  const char* bottom = "int n = 3; int main(void) { int s = 0; do s++; while (s < n); return s; }";
  EXPECT_EQ(run_text(bottom, ".c", {{.rounds = 2}}), 3);
  EXPECT_THROW(run_text(bottom, ".c", {{.rounds = 1}}), Stopped);
  const char* irreducible = R"(
    int n = 5, c; int main(void) { int s = 0; if (c) goto b; a: s++; b: if (s < n) goto a; return s; })";
  EXPECT_EQ(run_text(irreducible, ".c", {{.rounds = 6}}), 5);
  EXPECT_THROW(run_text(irreducible, ".c", {{.rounds = 2}}), Stopped);
}

}  // namespace
}  // namespace heddle::testing
