// The frame of a test: head, comments, init block, conditions.
#include <gtest/gtest.h>

#include "unit/litmus/support.hpp"

namespace heddle::litmus {
namespace {

// Whether a condition holds when x is 2, y is 0 and 0:r is -1, and what it is shown as.
std::pair<bool, std::string> judged(const std::string& condition) {
  const Litmus litmus = parse(one_thread("int r = -1; *x = 2;", condition), "t.litmus");
  const Outcome outcome = run(litmus, ModelKind::sc);
  EXPECT_EQ(outcome.satisfying + outcome.others, 1u);
  return {outcome.satisfying == 1, litmus.condition_text};
}

using Judged = std::pair<bool, std::string>;

TEST(LitmusCondition, Propositions) {
  EXPECT_EQ(judged("exists (x=2)"), Judged(true, "exists (x=2)"));
  EXPECT_EQ(judged("exists [x]=2"), Judged(true, "exists (x=2)"));
  EXPECT_EQ(judged("exists 0:r=-1 /\\ y=0"), Judged(true, "exists (0:r=-1 /\\ y=0)"));
  EXPECT_EQ(judged("exists (x==3)"), Judged(false, "exists (x=3)"));
  EXPECT_EQ(judged("exists (x!=3)"), Judged(true, "exists (x!=3)"));
  EXPECT_EQ(judged("exists (x=0x2)"), Judged(true, "exists (x=2)"));
  EXPECT_EQ(judged("forall true"), Judged(true, "forall (true)"));
  EXPECT_EQ(judged("~exists false"), Judged(false, "~exists (false)"));
  EXPECT_EQ(judged("not exists (x=1)"), Judged(false, "~exists (x=1)"));
  EXPECT_EQ(judged("exists not (x=1)"), Judged(true, "exists (not (x=1))"));
  EXPECT_EQ(judged("exists ~x=2"), Judged(false, "exists (not (x=2))"));
}

TEST(LitmusCondition, Precedence) {
  EXPECT_EQ(judged("exists x=2 \\/ y=1 /\\ y=1"), Judged(true, "exists (x=2 \\/ y=1 /\\ y=1)"));
  EXPECT_EQ(judged("exists (x=2 \\/ y=1) /\\ y=1"), Judged(false, "exists ((x=2 \\/ y=1) /\\ y=1)"));
  EXPECT_EQ(judged("exists ~x=2 /\\ y=1 \\/ true"), Judged(true, "exists (not (x=2) /\\ y=1 \\/ true)"));
  EXPECT_EQ(judged("exists x=1 => y=1 => false"), Judged(true, "exists (x=1 => y=1 => false)"));
  EXPECT_EQ(judged("exists (x=1 => y=1) => false"), Judged(false, "exists ((x=1 => y=1) => false)"));
  EXPECT_EQ(judged("exists x=1 \\/ x=2 => y=0"), Judged(true, "exists (x=1 \\/ x=2 => y=0)"));
}

TEST(LitmusCondition, Quantifiers) {
  const auto answer = [](const std::string& condition) {
    const Litmus litmus = parse(one_thread("", condition), "t.litmus");
    return ok(litmus, run(litmus, ModelKind::sc));
  };
  EXPECT_TRUE(answer("exists x=0"));
  EXPECT_FALSE(answer("exists x=1"));
  EXPECT_FALSE(answer("~exists x=0"));
  EXPECT_TRUE(answer("~exists x=1"));
  EXPECT_TRUE(answer("forall x=0"));
  EXPECT_FALSE(answer("forall x=1"));
}

TEST(LitmusCondition, WhatIsObservedIsSorted) {
  const Litmus litmus = parse(
      "C t {} P0 (int* b, int* a) { int r1; int r0; } P1 (int* b) { int r0; }\n"
      "locations [b; 1:r0; 0:r1; a;] exists (a=0 /\\ 0:r0=0 /\\ a=0)",
      "t.litmus");
  std::string names;
  for (const Observed& o : litmus.observed) names += o.name + " ";
  EXPECT_EQ(names, "0:r0 0:r1 1:r0 a b ");
  EXPECT_EQ(litmus.observed[2].thread, ThreadId{2});
  EXPECT_EQ(litmus.observed[3].thread, kMain);
}

TEST(LitmusFrame, CommentsAndInformationMayStandAnywhere) {
  const std::string text =
      "(* a comment (* in a comment *) *)\n"
      "// and this\n"
      "C  SB+x \r\n"
      "\"a string { with braces }\"\n"
      "Com=Rf Fr { x }\n"
      "Orig = PodWR\n"
      "(*c*)\n"
      "{ (* c *) x=1; // c\n /* c */ y=2 }\n"
      "P0 (atomic_int* x, atomic_int* y) { (* c *) /* } */ int r0 = (*x) * (*y); // }\n (** c **) }\n"
      "(* c *) \"c\"\n"
      "exists (*c*) (0:r0=2) (* \"c\" *) \n";
  const Litmus litmus = parse(text, "t.litmus");
  EXPECT_EQ(litmus.name, "SB+x");
  EXPECT_EQ(states(text, ModelKind::sc), std::vector<std::string>{"0:r0=2;"});
}

TEST(LitmusFrame, SpellingsOfTheInitBlock) {
  const auto x = [](const std::string& init) { return result("", "x", init); };
  EXPECT_EQ(x(""), "x=0;");
  EXPECT_EQ(x("x=3"), "x=3;");
  EXPECT_EQ(x(" x = -3 ; "), "x=-3;");
  EXPECT_EQ(x("[x]=3;;"), "x=3;");
  EXPECT_EQ(x("int x = 3; int y = 0x10;"), "x=3;");
  EXPECT_EQ(x("atomic_int x=3; volatile int z;"), "x=3;");
  EXPECT_EQ(x("int x;"), "x=0;");
  EXPECT_EQ(result("", "z", "z=4"), "z=4;");
}

TEST(LitmusFrame, Parameters) {
  EXPECT_EQ(
      states("C t {} P0 (volatile int* a, const volatile atomic_int *b, int * volatile c, _Atomic int* d, long* e, "
             "atomic_long* f) { *a = 1; *d = 2; } P1 (void) {} P2 () {} exists (a=1 /\\ d=2)",
             ModelKind::sc),
      std::vector<std::string>{"a=1; d=2;"});
}

TEST(LitmusFrame, ATestMayHaveNoThread) {
  EXPECT_EQ(states("C t {x=1} exists (x=1)", ModelKind::rc11), std::vector<std::string>{"x=1;"});
}

}  // namespace
}  // namespace heddle::litmus
