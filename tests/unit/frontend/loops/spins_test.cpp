// Loops that count, and loops that pause: frontend/loops/spins.hpp, frontend/loops/pauses.cpp.
#include <gtest/gtest.h>

#include <string>

#include "frontend/load/load.hpp"
#include "unit/frontend/double.hpp"

namespace heddle::testing {
namespace {

constexpr const char* kSpinHead = R"(
  #include <stdatomic.h>
  #include <sched.h>
  #include <time.h>
  #include <unistd.h>
  atomic_int x, y, z;
  int bound = 1000;
  __attribute__((noinline)) static int try(void) { return atomic_exchange(&x, 1) == 0; }
  int main(void) {
)";

Program program(const std::string& body, bool purity = true) {
  const SourceFile file(kSpinHead + body + "}");
  return compile({.files = {file.path()},
                  .clang_args = {"-w"},
                  .purity = purity,
                  .pausing =
                      [](std::string_view name) {
                        return name == "sched_yield" ? Pausing::yields
                               : name == "usleep"    ? Pausing::sleeps
                               : name == "clock"     ? Pausing::tells_time
                                                     : Pausing::none;
                      },
                  .tells_changes = [](std::string_view name) { return name == "sched_yield" || name == "usleep"; }});
}

// What is said of the loops of main.
std::string notes(const std::string& body, bool purity = true) {
  const Program p = program(body, purity);
  std::string text;
  for (const LoopNote& note : p.loops()) text += note.what + "\n";
  return text;
}

bool is_spin(const std::string& body) {
  return notes(body).find("counted spin: rounds are alike") != std::string::npos;
}
std::string why_not(const std::string& body) {
  const std::string text = notes(body);
  const std::string key = "no counted spin: ";
  const std::size_t at = text.find(key);
  return at == std::string::npos ? "" : text.substr(at + key.size(), text.find(';', at) - at - key.size());
}

struct Outcome {
  int status;
  std::size_t loads;
  bool operator==(const Outcome&) const = default;
};
std::ostream& operator<<(std::ostream& out, const Outcome& o) { return out << o.status << " after " << o.loads; }

Outcome outcome(const std::string& body, bool jump) {
  const Image image = load(program(body), find_symbol);
  jumps = jump;
  const int status = run(image);
  jumps = false;
  return {status, count("load")};
}

// With a jump the loop ends as without, only sooner.
void expect_jump(const std::string& body, Outcome slow, std::size_t loads) {
  EXPECT_TRUE(is_spin(body)) << body << notes(body);
  EXPECT_EQ(outcome(body, false), slow) << body;
  EXPECT_EQ(outcome(body, true), (Outcome{slow.status, loads})) << body;
}

TEST(Spins, JumpToTheLastRound) {
  expect_jump("int i; for (i = 0; i < 1000 && !atomic_load(&x); i++) ; return i == 1000;", {1, 1000}, 1);
  expect_jump("unsigned i = 0; while (i != 999 && !atomic_load(&x)) i += 3; return i != 999;", {0, 333}, 1);
  expect_jump("int n = 100; while (!atomic_load(&x) && --n) ; return n ? 3 : 4;", {4, 100}, 2);
  expect_jump("int n = 100; while (n-- > 0) if (atomic_load(&x)) return 3; return 4;", {4, 100}, 1);
  expect_jump("int i = 0; do if (atomic_load(&x)) return 1; while (++i < 50); return 2;", {2, 50}, 2);
  expect_jump("for (long i = 0;; i++) { if (atomic_load(&x)) return 1; if (i >= 7) return 2; }", {2, 8}, 2);
  expect_jump("for (unsigned char i = 200; i >= 200; i += 5) if (atomic_load(&x)) return 1; return 2;", {2, 12}, 1);
  expect_jump("int n = bound; for (int i = 0; i < n; i++) if (atomic_load(&x)) return 1; return 2;", {2, 1000}, 1);
  expect_jump("int n = bound, i; for (i = 0; i < n && !atomic_load(&x); i++) ; return i == n;", {1, 1000}, 1);
  expect_jump("for (int i = 0, k = 9; i < 10; i++, k--) { if (atomic_load(&x)) return 1; if (!k) return 2; } return 3;",
              {2, 10}, 2);
  expect_jump("for (int k = 0; k < 3; k++) for (int i = 0; i < 10; i++) if (atomic_load(&x)) return 1; return 2;",
              {2, 30}, 1);
  expect_jump("for (int i = 0; i < 10; i++) { if (atomic_load(&x)) return 1; if (i > 4) sched_yield(); } return 2;",
              {2, 10}, 1);
}

TEST(Spins, CallsAreNoHindrance) {
  EXPECT_TRUE(is_spin("for (int i = 0; i < 10; i++) if (try()) return 1; return 2;"));
  EXPECT_TRUE(
      is_spin("int e; for (int i = 0; i < 9; i++) { e = 0; if (atomic_compare_exchange_strong(&x, &e, 1)) "
              "return 1; } return 2;"));
}

TEST(Spins, NotIfTheCountMatters) {
  EXPECT_EQ(why_not("int i; for (i = 0; i < 10 && !atomic_load(&x); i++) ; return i;"), "i is used after the loop");
  EXPECT_EQ(why_not("int i; for (i = 0; i < 10 && !atomic_load(&x); i++) ; return i == 5;"),
            "i is used after the loop");
  EXPECT_EQ(why_not("int i; for (i = 0; i < 10 && !atomic_load(&x); i++) ; return i > 8;"), "i is used after the loop");
  EXPECT_EQ(why_not("int i; for (i = 0; i < bound && !atomic_load(&x); i++) ; return i == 1000;"), "");
  EXPECT_EQ(why_not("for (int i = 0; i < 9; i++) { if (atomic_load(&x)) return 1; if (i == 4) atomic_store(&y, 1); }"
                    "return 2;"),
            "i decides what a round does");
  EXPECT_EQ(why_not("for (int i = 0; i < 9; i++) if (atomic_load(&x) == i) return 1; return 2;"),
            "i decides what a round does");
  EXPECT_EQ(why_not("int n = 9; for (int k = 0; k < 2; k++) { while (n && !atomic_load(&x)) n--; } return 2;"),
            "n is used after the loop");
}

// A loop that does the same a number of times looks for nothing.
TEST(Spins, NotAnOrdinaryLoop) {
  EXPECT_FALSE(is_spin("for (int i = 0; i < 10; i++) atomic_load(&x); return 0;"));
  EXPECT_FALSE(is_spin("for (int i = 0; i < 10; i++) { if (atomic_load(&x)) break; atomic_store(&y, 1); } return 0;"));
  EXPECT_FALSE(is_spin("for (int i = 0; !atomic_load(&x); i++) ; return 0;"));
  EXPECT_EQ(notes("for (int i = 0; i < 10; i++) if (atomic_load(&x)) break; return 0;", /*purity=*/false),
            "its count is known\n");
}

TEST(Pauses, AreLeftOut) {
  const std::string waits = "waits for the value that it reads; left out, since it decides no more than pauses: ";
  const auto expect = [&](const std::string& body, const std::string& what) {
    EXPECT_NE(notes(body).find(waits + what), std::string::npos) << body << notes(body);
  };
  expect("for (int d = 1; !atomic_load(&x); d = d < 1024 ? 2 * d : d) for (int i = 0; i < d; i++) ; return 0;", "d");
  expect("int d = 1; while (atomic_exchange(&x, 1)) { usleep(d); d += d; } return 0;", "d");
  expect("int n = 0; while (!atomic_load(&x)) if (++n > 10) { sched_yield(); n = 0; } return 0;", "n");
  expect("int n = 0; do if (++n > 10) sched_yield(); while (!atomic_load(&x)); return 0;", "n");
  expect("for (int i = 0; !atomic_load(&x); i++) for (volatile int k = 0; k < i; k++) sched_yield(); return 0;", "i");
}

TEST(Pauses, StayIfTheyAreMore) {
  EXPECT_EQ(notes("int d = 1; while (!atomic_load(&x)) d *= 2; return d;").find("left out"), std::string::npos);
  EXPECT_EQ(notes("for (int d = 0; !atomic_load(&x); d++) for (int i = 0; i < d; i++) atomic_load(&y); return 0;")
                .find("left out"),
            std::string::npos);
  EXPECT_EQ(notes("int d = 1; while (!atomic_load(&x)) usleep(d += d); return clock() > 9;").find("left out"),
            std::string::npos);
  EXPECT_EQ(notes("int d = 0; while (!atomic_load(&x)) { d++; while (d) ; } return 0;").find("left out"),
            std::string::npos);
}

}  // namespace
}  // namespace heddle::testing
