// What an exploration notes of its findings, its limits and its assumptions.
#include "explore/judge/tally.hpp"

#include <gtest/gtest.h>

#include "machine/script/script_machine.hpp"

namespace heddle {
namespace {

Finding finding_at(ErrorKind kind, SiteId site, SiteId other = kNoSite) {
  Finding f;
  f.error.kind = kind;
  f.error.site = site;
  f.error.other_site = other;
  return f;
}

class TallyTest : public testing::Test {
 protected:
  Result finish(Tally& tally) {
    return tally.run([] {});
  }

  ScriptMachine machine_{Script{.threads = {{}}}};
  Request request_;
};

TEST_F(TallyTest, TheFirstErrorStops) {
  Tally tally(machine_, request_);
  tally.found(finding_at(ErrorKind::assertion, SiteId{3}));
  EXPECT_TRUE(tally.stop);
  EXPECT_EQ(finish(tally).verdict, Verdict::error);
}

TEST_F(TallyTest, TheSameRaceInEitherOrderIsOne) {
  request_.keep_going = true;
  Tally tally(machine_, request_);
  tally.found(finding_at(ErrorKind::race, SiteId{3}, SiteId{4}));
  EXPECT_FALSE(tally.stop);
  EXPECT_FALSE(tally.is_new(finding_at(ErrorKind::race, SiteId{4}, SiteId{3})));
  EXPECT_TRUE(tally.is_new(finding_at(ErrorKind::race, SiteId{4}, SiteId{5})));
  EXPECT_TRUE(tally.is_new(finding_at(ErrorKind::memory, SiteId{3}, SiteId{4})));
}

// An error that needs a trylock that fails for no reason gives way to the same one without.
TEST_F(TallyTest, ARealErrorTakesThePlaceOfOneThatIsMadeUp) {
  Finding made_up = finding_at(ErrorKind::assertion, SiteId{3});
  TraceStep step;
  step.action.kind = ActionKind::choose;
  step.action.purpose = Purpose::mutex_trylock;
  step.read = Value{1, 0};
  made_up.trace.steps.push_back(step);
  Tally tally(machine_, request_);
  tally.found(made_up);
  EXPECT_FALSE(tally.stop);
  EXPECT_FALSE(tally.is_new(made_up));
  const Finding real = finding_at(ErrorKind::assertion, SiteId{3});
  EXPECT_TRUE(tally.is_new(real));
  tally.found(real);
  EXPECT_TRUE(tally.stop);
  ASSERT_EQ(tally.result.findings.size(), 1u);
  EXPECT_TRUE(tally.result.findings[0].trace.steps.empty());
  EXPECT_FALSE(tally.is_new(made_up));
}

TEST_F(TallyTest, AnAssumptionIsALimitOnlyWithoutACompleteExecution) {
  for (const uint64_t executions : {0, 1}) {
    Tally tally(machine_, request_);
    tally.limit(Limit::assumption, SiteId{3});
    tally.result.executions = executions;
    tally.result.unusual.emplace();
    EXPECT_EQ(finish(tally).verdict, executions == 0 ? Verdict::incomplete : Verdict::verified);
  }
}

TEST_F(TallyTest, WrongTwinsAreABrokenAssumptionUnlessTheUserInsists) {
  machine_.assume({.twins = true});
  Tally tally(machine_, request_);
  tally.found(finding_at(ErrorKind::symmetry, SiteId{3}));
  EXPECT_TRUE(tally.stop);
  const Result result = finish(tally);
  EXPECT_TRUE(result.findings.empty());
  ASSERT_EQ(result.broken.size(), 1u);
  EXPECT_EQ(result.broken[0].what, Assumption::twins);

  request_.spore.insist_on_symmetry = true;
  Tally insisting(machine_, request_);
  insisting.found(finding_at(ErrorKind::symmetry, SiteId{3}));
  EXPECT_EQ(finish(insisting).findings.size(), 1u);

  request_.spore.insist_on_symmetry = false;
  machine_.assume({.twins = false});  // those that are left are declared
  Tally declared(machine_, request_);
  declared.found(finding_at(ErrorKind::symmetry, SiteId{3}));
  EXPECT_EQ(finish(declared).findings.size(), 1u);
}

TEST_F(TallyTest, ALoopThatIsCutStopsOnlyIfItEndsTheExploration) {
  Tally tally(machine_, request_);
  const Broken cut{.what = Assumption::rounds, .site = SiteId{5}, .ends = false};
  tally.broke(cut);
  tally.broke(cut);
  EXPECT_FALSE(tally.stop);
  tally.broke({.what = Assumption::rounds, .site = SiteId{6}, .ends = true});
  EXPECT_TRUE(tally.stop);
  const Result result = finish(tally);
  EXPECT_EQ(result.broken.size(), 2u);
  EXPECT_EQ(result.verdict, Verdict::verified) << "the loop of restarts judges";
}

TEST_F(TallyTest, ALimitMakesItIncomplete) {
  request_.max_executions = 2;
  Tally tally(machine_, request_);
  tally.count(true);
  EXPECT_FALSE(tally.out_of_executions());
  tally.count(false);
  EXPECT_TRUE(tally.out_of_executions());
  tally.limit(Limit::executions);
  const Result result = finish(tally);
  EXPECT_EQ(result.verdict, Verdict::incomplete);
  EXPECT_EQ(result.executions, 1u);
  EXPECT_EQ(result.blocked, 1u);
}

}  // namespace
}  // namespace heddle
