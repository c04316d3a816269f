// Expressions and statements of a single thread: what C says, they say.
#include <gtest/gtest.h>

#include "unit/litmus/support.hpp"

#pragma GCC diagnostic ignored "-Wparentheses"
#pragma GCC diagnostic ignored "-Wbool-compare"
#pragma GCC diagnostic ignored "-Wint-in-bool-context"

namespace heddle::litmus {
namespace {

struct Case {
  const char* text;
  int64_t value;
};

// Numbers instead of a, b and c.
std::string replaced(const std::string& text, int64_t a, int64_t b, int64_t c) {
  std::string out;
  for (const char ch : text) {
    if (ch < 'a' || ch > 'c') {
      out += ch;
    } else {
      out += "(" + std::to_string(ch == 'a' ? a : ch == 'b' ? b : c) + ")";
    }
  }
  return out;
}

// Once with registers, once with numbers, which are calculated by the translation.
void expect_values(const std::vector<Case>& cases, int64_t a, int64_t b, int64_t c) {
  const std::string init =
      "0:a=" + std::to_string(a) + "; 0:b=" + std::to_string(b) + "; 0:c=" + std::to_string(c) + ";";
  for (const Case& k : cases) {
    const std::string expected = "0:r0=" + std::to_string(k.value) + ";";
    EXPECT_EQ(result("int r0 = " + std::string(k.text) + ";", "0:r0", init), expected) << k.text;
    EXPECT_EQ(result("int r0 = " + replaced(k.text, a, b, c) + ";", "0:r0"), expected) << k.text;
  }
}

// Every operator beside every other one.
// clang-format off
#define PAIR(first, second) {"a " #first " b " #second " c", static_cast<int64_t>(a first b second c)},
#define PAIRS(op)                                                                                           \
  PAIR(op, +) PAIR(op, -) PAIR(op, *) PAIR(op, /) PAIR(op, %) PAIR(op, &) PAIR(op, |) PAIR(op, ^)           \
  PAIR(op, <<) PAIR(op, >>) PAIR(op, ==) PAIR(op, !=) PAIR(op, <) PAIR(op, <=) PAIR(op, >) PAIR(op, >=)     \
  PAIR(op, &&) PAIR(op, ||)

std::vector<Case> pairs(int64_t a, int64_t b, int64_t c) {
  return {PAIRS(+) PAIRS(-) PAIRS(*) PAIRS(/) PAIRS(%) PAIRS(&) PAIRS(|) PAIRS(^) PAIRS(<<) PAIRS(>>) PAIRS(==)
          PAIRS(!=) PAIRS(<) PAIRS(<=) PAIRS(>) PAIRS(>=) PAIRS(&&) PAIRS(||)};
}
// clang-format on

TEST(LitmusExpression, PrecedenceIsThatOfC) {
  for (const auto& [a, b, c] : {std::array<int64_t, 3>{5, 3, 2}, {12, 4, 1}, {2, 7, 7}}) {
    const std::vector<Case> cases = pairs(a, b, c);
    ASSERT_EQ(cases.size(), 18u * 18u);
    expect_values(cases, a, b, c);
  }
}

#define CASE(e) {#e, static_cast<int64_t>(e)}

TEST(LitmusExpression, UnaryAndConditionalOperators) {
  const int64_t a = -7, b = 3, c = 0;
  expect_values({CASE(-a),
                 CASE(- -a),
                 CASE(~a),
                 CASE(!a),
                 CASE(!c),
                 CASE(!!b),
                 CASE(+b),
                 CASE(-a * b),
                 CASE(~a & b),
                 CASE(a / b),
                 CASE(a % b),
                 CASE(a >> 1),
                 CASE(a << 2),
                 CASE(a < c),
                 CASE(a > c),
                 CASE((a + b) * (a - b)),
                 CASE(c ? a : b),
                 CASE(b ? a : b),
                 CASE(c   ? 1
                      : a ? 2
                          : 3),
                 CASE(a ? c ? 1 : 2 : 3),
                 CASE(a == -7),
                 CASE(c || c),
                 CASE(c || b),
                 CASE(b && a),
                 CASE(b && c),
                 CASE(!(b && c) + 1),
                 CASE(b + 1 == 4)},
                a, b, c);
}

TEST(LitmusExpression, NumbersHave64Bits) {
  EXPECT_EQ(result("int r0 = 0x7fffffffffffffff;", "0:r0"), "0:r0=9223372036854775807;");
  EXPECT_EQ(result("int r0 = -9223372036854775808;", "0:r0"), "0:r0=-9223372036854775808;");
  EXPECT_EQ(result("int r0 = a + 1;", "0:r0", "0:a=9223372036854775807"), "0:r0=-9223372036854775808;");
  EXPECT_EQ(result("int r0 = a / b;", "0:r0", "0:a=-9223372036854775808; 0:b=-1"), "0:r0=-9223372036854775808;");
  EXPECT_EQ(result("int r0 = a % b;", "0:r0", "0:a=-9223372036854775808; 0:b=-1"), "0:r0=0;");
  EXPECT_EQ(result("int r0 = 0XfF;", "0:r0"), "0:r0=255;");
}

TEST(LitmusExpression, TheOtherSideOfAShortCircuitIsNotTouched) {
  EXPECT_EQ(result("int r0 = 0 && atomic_fetch_add(y, 1);", "0:r0; y"), "0:r0=0; y=0;");
  EXPECT_EQ(result("int r0 = 2 || atomic_fetch_add(y, 1);", "0:r0; y"), "0:r0=1; y=0;");
  EXPECT_EQ(result("int r0 = a && atomic_fetch_add(y, 1);", "0:r0; y", "0:a=0"), "0:r0=0; y=0;");
  EXPECT_EQ(result("int r0 = a && atomic_fetch_add(y, 1);", "0:r0; y", "0:a=9; y=4"), "0:r0=1; y=5;");
  EXPECT_EQ(result("int r0 = a || atomic_fetch_add(y, 1);", "0:r0; y", "0:a=9"), "0:r0=1; y=0;");
  EXPECT_EQ(result("int r0 = a || atomic_fetch_add(y, 1);", "0:r0; y", "0:a=0"), "0:r0=0; y=1;");
  EXPECT_EQ(result("int r0 = a ? atomic_fetch_add(y, 1) : atomic_fetch_add(x, 1);", "0:r0; x; y", "0:a=0; x=5; y=6"),
            "0:r0=5; x=6; y=6;");
  EXPECT_EQ(result("int r0 = atomic_load(y) && *x;", "0:r0"), "0:r0=0;");
}

TEST(LitmusExpression, AnAssignmentMayUseWhatItSets) {
  EXPECT_EQ(result("int r0 = 3; r0 = r0 && r0 == 3; r0 = r0 ? r0 + 1 : 9; r0 = 10 - r0;", "0:r0"), "0:r0=8;");
  EXPECT_EQ(result("int r0 = 2; r0 = atomic_fetch_add(y, r0) + r0; ", "0:r0; y", "y=5"), "0:r0=7; y=7;");
  EXPECT_EQ(result("int r0 = 2; r0 = atomic_exchange(y, r0);", "0:r0; y", "y=5"), "0:r0=5; y=2;");
}

TEST(LitmusExpression, Accesses) {
  EXPECT_EQ(result("*x = 3; *y = *x + 1; int r0 = *y;", "0:r0; x; y"), "0:r0=4; x=3; y=4;");
  EXPECT_EQ(result("int r0 = (*x) + (*y);", "0:r0", "x=3; y=4"), "0:r0=7;");
  EXPECT_EQ(result("int r0 = atomic_fetch_sub(y, 2); int r1 = atomic_fetch_or(y, 6); int r2 = atomic_fetch_and(y, 5); "
                   "int r3 = atomic_fetch_xor(y, 1);",
                   "0:r0; 0:r1; 0:r2; 0:r3; y", "y=3"),
            "0:r0=3; 0:r1=1; 0:r2=7; 0:r3=5; y=4;");
  EXPECT_EQ(result("(void)atomic_exchange(y, 1);", "y"), "y=1;");
}

TEST(LitmusExpression, CompareExchange) {
  const std::string cas = "int ok = atomic_compare_exchange_strong(y, &r, 9);";
  EXPECT_EQ(result("int r = 0; " + cas, "0:ok; 0:r; y"), "0:ok=1; 0:r=0; y=9;");
  EXPECT_EQ(result("int r = 1; " + cas, "0:ok; 0:r; y"), "0:ok=0; 0:r=0; y=0;");
  EXPECT_EQ(result("int r = 4; atomic_compare_exchange_weak_explicit(y, &r, r + 1, memory_order_release, "
                   "memory_order_relaxed);",
                   "0:r; y", "y=4"),
            "0:r=4; y=5;");
  // The left operand is read first.
  EXPECT_EQ(result("int r = 1; int s = r + 10 * atomic_compare_exchange_strong(y, &r, 9) + 100 * r;", "0:s", "y=2"),
            "0:s=201;");
  EXPECT_EQ(result("int r = 1; int s = r - atomic_compare_exchange_strong(y, &r, 9);", "0:s", "y=2"), "0:s=1;");
  EXPECT_EQ(result("int r = 1; if (!atomic_compare_exchange_strong(y, &r, 9)) "
                   "atomic_compare_exchange_strong(y, &r, 9);",
                   "0:r; y", "y=2"),
            "0:r=2; y=9;");
}

TEST(LitmusExpression, OrdersReachTheScript) {
  const Litmus litmus = parse(one_thread("int r = 0; int s; s = atomic_load_explicit(y, memory_order_consume);"
                                         "atomic_store_explicit(y, 1, memory_order_release);"
                                         "atomic_fetch_add_explicit(y, 1, memory_order_acq_rel);"
                                         "atomic_compare_exchange_strong_explicit(y, &r, 1, memory_order_acquire, "
                                         "memory_order_relaxed);"
                                         "atomic_thread_fence(memory_order_seq_cst);"
                                         "atomic_thread_fence(memory_order_relaxed);"
                                         "*y = *x;"),
                              "t.litmus");
  std::vector<std::pair<ScriptOp, Mode>> found;
  for (const Instruction& i : litmus.script.threads[1]) {
    if (is_visible(i.op)) found.emplace_back(i.op, i.mode);
    if (i.op == ScriptOp::cas) {
      EXPECT_EQ(i.fail_mode, Mode::rlx);
    }
  }
  const std::vector<std::pair<ScriptOp, Mode>> expected = {{ScriptOp::load, Mode::acq},   {ScriptOp::store, Mode::rel},
                                                           {ScriptOp::rmw, Mode::acqrel}, {ScriptOp::cas, Mode::acq},
                                                           {ScriptOp::fence, Mode::sc},   {ScriptOp::load, Mode::na},
                                                           {ScriptOp::store, Mode::sc}};
  EXPECT_EQ(found, expected);
}

TEST(LitmusStatement, Branches) {
  const std::string nested =
      "int r0 = 0; if (a) if (b) r0 = 1; else r0 = 2; else { int r1 = 3; if (b) { r0 = r1; } else r0 = r1 + 1; }"
      "r0 = r0 * 10;";
  EXPECT_EQ(result(nested, "0:r0", "0:a=1; 0:b=1"), "0:r0=10;");
  EXPECT_EQ(result(nested, "0:r0", "0:a=1; 0:b=0"), "0:r0=20;");
  EXPECT_EQ(result(nested, "0:r0", "0:a=0; 0:b=1"), "0:r0=30;");
  EXPECT_EQ(result(nested, "0:r0", "0:a=0; 0:b=0"), "0:r0=40;");
  EXPECT_EQ(result("int r0 = 7; if (0) r0 = 1; if (1) {} else r0 = 2; if (a) ; else ;", "0:r0", "0:a=0"), "0:r0=7;");
  EXPECT_EQ(result("int r0; if (a - 2) r0 = 1; else r0 = 2;", "0:r0", "0:a=2"), "0:r0=2;");
}

TEST(LitmusStatement, BlocksAndDeclarations) {
  EXPECT_EQ(result("{ int r0 = 1; } { int r0 = 2; { int r1 = r0; } }", "0:r0; 0:r1"), "0:r0=2; 0:r1=2;");
  EXPECT_EQ(result("int r0, r1 = 4, r2; long long r3 = r1;;", "0:r0; 0:r1; 0:r2; 0:r3"),
            "0:r0=0; 0:r1=4; 0:r2=0; 0:r3=4;");
  // A variable that is never set is 0, whatever intermediate values there were.
  EXPECT_EQ(result("int r1 = *x * *x + *x; if (*x) { int r0 = 1; }", "0:r0; 0:r1"), "0:r0=0; 0:r1=0;");
}

TEST(LitmusStatement, InitialValuesOfRegisters) {
  EXPECT_EQ(result("int r9; r9 = r9 + 1;", "0:r9", "0:r9=7"), "0:r9=8;");
  EXPECT_EQ(result("", "0:r9", "int 0:r9 = -7"), "0:r9=-7;");
}

TEST(LitmusStatement, AllRegistersCanBeUsed) {
  std::string code, observed, expected;
  for (unsigned r = 0; r < kScriptRegisters; ++r) {
    const std::string name = std::string("v") + static_cast<char>('a' + r);
    code += "int " + name + " = " + std::to_string(r) + ";";
    observed += "0:" + name + ";";
    expected += (r == 0 ? "0:" : " 0:") + name + "=" + std::to_string(r) + ";";
  }
  EXPECT_EQ(result(code, observed), expected);
}

}  // namespace
}  // namespace heddle::litmus
