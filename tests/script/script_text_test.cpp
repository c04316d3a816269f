#include "script/script_text.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"

namespace heddle {
namespace {

std::string error_of(const char* text) {
  try {
    parse_script(text);
  } catch (const UserError& e) {
    return e.what();
  }
  return "";
}

TEST(ScriptText, ReadsAStoreAndALoad) {
  const Script s = parse_script("x = 1 rel || r3 = x acq");
  ASSERT_EQ(s.threads.size(), 3u);
  const Instruction& store = s.threads[1][0];
  EXPECT_EQ(store.op, ScriptOp::store);
  EXPECT_EQ(store.mode, Mode::rel);
  EXPECT_EQ(store.operand, (ScriptValue{-1, 1}));
  const Instruction& load = s.threads[2][0];
  EXPECT_EQ(load.op, ScriptOp::load);
  EXPECT_EQ(load.mode, Mode::acq);
  EXPECT_EQ(load.reg, 3);
  EXPECT_EQ(load.location, store.location);
}

TEST(ScriptText, MainCreatesAndJoinsAllIfNotWritten) {
  const Script s = parse_script("x = 1 rlx || x = 2 rlx");
  ASSERT_EQ(s.threads[0].size(), 4u);
  EXPECT_EQ(s.threads[0][0].op, ScriptOp::create);
  EXPECT_EQ(s.threads[0][1].thread, 2);
  EXPECT_EQ(s.threads[0][2].op, ScriptOp::join);
}

TEST(ScriptText, PrintsWhatItReads) {
  const char* text =
      "{x=1 y=7}\n"
      "main: create 1; create 2; join 1; r0 = x rlx; join 2\n"
      "|| x = r1+2 sc; x = r1 na; y = 3 rlx; r0 = x na; r1 = cas x 1 r0+1 acq_rel acq; r2 = cas y 0 1 sc rlx until\n"
      "|| r0 = add x 1 rel; r1 = xchg y r0 sc until != 4; r2 = x acq until == 1; r3 = x sc assuming != 1; fence "
      "acq_rel; lock m; unlock m; "
      "r3 = trylock m; if r3 != 0 skip 2; r4 = choose 3; assume r4 == 2; assert r4 != 1; create 3; join 3\n"
      "|| r0 = nand x 1 rlx; r0 = umax x 2 rlx; r15 = set add r1+2 r3+4; r10 = set le 1 18446744073709551615; "
      "r0 = cas x r1+1 r2 sc rlx; r0 = cas x 1 2 sc rlx assuming\n";
  EXPECT_EQ(print_script(parse_script(text)), text);
}

TEST(ScriptText, KnowsEveryCalculation) {
  for (int c = 0; c <= static_cast<int>(Calculation::le); ++c) {
    const std::string text = "main: r0 = set " + std::string(name(Calculation(c))) + " r1 2\n";
    const Script s = parse_script(text);
    EXPECT_EQ(s.threads[0][0].calculation, Calculation(c));
    EXPECT_EQ(print_script(s), text);
  }
}

TEST(ScriptText, SaysWhatIsWrongAndWhere) {
  EXPECT_NE(error_of("r0 = set root r1 2").find("a calculation"), std::string::npos);
  EXPECT_NE(error_of("x = 99999999999999999999 rlx").find("a number"), std::string::npos);
  EXPECT_NE(error_of("x = 1 loud").find("a mode"), std::string::npos);
  EXPECT_NE(error_of("x = 1 rlx y = 2 rlx").find("';' or '||' expected at 'y = 2 rlx'"), std::string::npos);
  EXPECT_NE(error_of("assume x == 1").find("a register"), std::string::npos);
  EXPECT_NE(error_of("r16 = x rlx").find("expected"), std::string::npos);
  EXPECT_NE(error_of("r0 = ; x = 1 rlx").find("a name"), std::string::npos);
}

TEST(ScriptText, RefusesScriptsWithoutMeaning) {
  EXPECT_NE(error_of("main: create 1; create 1 || x = 1 rlx").find("exactly one create"), std::string::npos);
  EXPECT_NE(error_of("main: r0 = x rlx || x = 1 rlx").find("exactly one create"), std::string::npos);
  EXPECT_NE(error_of("main: create 1; join 1; join 1 || x = 1 rlx").find("joined twice"), std::string::npos);
  EXPECT_NE(error_of("main: join 1; create 1 || x = 1 rlx").find("after the create"), std::string::npos);
  EXPECT_NE(error_of("main: create 1; create 2 || join 2 || x = 1 rlx").find("only the creator"), std::string::npos);
  EXPECT_NE(error_of("main: if r0 == 0 skip 1; create 1; join 1 || x = 1 rlx").find("around a create"),
            std::string::npos);
  EXPECT_EQ(error_of("main: if r0 == 0 skip 2; create 1; join 1 || x = 1 rlx"), "");
  EXPECT_NE(error_of("main: create 2 || x = 1 rlx || create 1").find("smaller number"), std::string::npos);
  EXPECT_NE(error_of("if r0 == 0 skip 2; x = 1 rlx").find("past the end"), std::string::npos);
  EXPECT_NE(error_of("lock m; m = 1 rlx").find("mutex"), std::string::npos);
  EXPECT_NE(error_of("r0 = x rel").find("mode"), std::string::npos);
  EXPECT_NE(error_of("x = 1 acq").find("mode"), std::string::npos);
  EXPECT_NE(error_of("fence rlx").find("mode"), std::string::npos);
  EXPECT_NE(error_of("r0 = cas x 0 1 rlx rel").find("mode"), std::string::npos);
  EXPECT_NE(error_of("r0 = choose 0").find("choice"), std::string::npos);
}

}  // namespace
}  // namespace heddle
