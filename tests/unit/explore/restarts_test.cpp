// The loop that drops assumptions, with explorations that are made up.
#include "explore/restarts.hpp"

#include <gtest/gtest.h>

#include <deque>

#include "machine/script/script_machine.hpp"

namespace heddle {
namespace {

constexpr SiteId kLoop{7};
constexpr SiteId kOther{8};

Finding finding(ErrorKind kind, SiteId site, bool made_up = false) {
  Finding f;
  f.error.kind = kind;
  f.error.site = site;
  if (made_up) {
    TraceStep step;
    step.action.kind = ActionKind::choose;
    step.action.purpose = Purpose::mutex_trylock;
    step.read = Value{1, 0};
    f.trace.steps.push_back(step);
  }
  return f;
}

Result result(uint64_t executions, std::vector<Broken> broken = {}, std::vector<Finding> findings = {}) {
  Result r;
  r.executions = executions;
  r.events = 10;
  r.broken = std::move(broken);
  r.findings = std::move(findings);
  if (!r.findings.empty()) r.verdict = Verdict::error;
  return r;
}

Broken cut(SiteId loop, bool ends = false) { return {.what = Assumption::rounds, .site = loop, .ends = ends}; }

struct CountingObserver : Observer {
  void start_again() override { ++starts; }
  void execution(const Graph&, Machine&, bool) override {}
  int starts = 0;
};

// Tells what it is asked to assume, which is more than it does.
struct AskedMachine : ScriptMachine {
  using ScriptMachine::ScriptMachine;
  void assume(const Assumptions& a) override {
    asked.push_back(a);
    ScriptMachine::assume(a);
  }
  std::vector<Assumptions> asked;
};

class RestartsTest : public testing::Test {
 protected:
  // Explorations that end like this, one after the other; all of them must be asked for.
  Result run(std::deque<Result> results) {
    results_ = std::move(results);
    Result r = explore_until_it_holds(machine_, request_, [&](const Request&) {
      seen_.push_back(machine_.assumed());
      EXPECT_FALSE(results_.empty());
      Result next = std::move(results_.front());
      results_.pop_front();
      return next;
    });
    EXPECT_TRUE(results_.empty());
    return r;
  }
  static bool has_note(const Result& r, const std::string& part) {
    return std::ranges::any_of(r.notes, [&](const std::string& n) { return n.find(part) != std::string::npos; });
  }

  AskedMachine machine_{Script{.threads = {{}}}};
  Request request_;
  std::deque<Result> results_;
  std::vector<Assumptions> seen_;  // of each exploration
};

TEST_F(RestartsTest, NothingBroken) {
  const Result r = run({result(3)});
  EXPECT_EQ(r.executions, 3u);
  EXPECT_EQ(r.verdict, Verdict::verified);
  EXPECT_TRUE(seen_[0].twins);
  EXPECT_TRUE(seen_[0].rounds.ends);
  EXPECT_TRUE(r.notes.empty());
}

TEST_F(RestartsTest, OfWrongTwinsNothingCounts) {
  CountingObserver observer;
  request_.observer = &observer;
  request_.keep_going = true;
  Broken twins{.what = Assumption::twins, .why = "joined apart"};
  const Result r = run({result(9, {twins}, {finding(ErrorKind::assertion, kLoop)}), result(4)});
  EXPECT_EQ(r.executions, 4u);
  EXPECT_TRUE(r.findings.empty());
  EXPECT_EQ(r.verdict, Verdict::verified);
  EXPECT_EQ(r.events, 20u);
  EXPECT_FALSE(seen_[1].twins);
  EXPECT_TRUE(has_note(r, "joined apart"));
  EXPECT_EQ(observer.starts, 1);
}

TEST_F(RestartsTest, OfPlainAccessesThatAreNoEventsNothingCounts) {
  request_.algorithm = Algorithm::rcmc;
  const Result r = run({result(9, {{Assumption::plain}}, {finding(ErrorKind::race, kLoop)}), result(4)});
  EXPECT_EQ(r.executions, 4u);
  EXPECT_TRUE(r.findings.empty());
  EXPECT_TRUE(machine_.asked[0].plain);
  EXPECT_FALSE(machine_.asked[1].plain);
  EXPECT_TRUE(machine_.asked[1].twins);
}

TEST_F(RestartsTest, WithoutRoundsThatAreTakenBackAllCounts) {
  request_.keep_going = true;
  const Result r = run({result(9, {{Assumption::undone}}, {finding(ErrorKind::assertion, kLoop)}), result(4)});
  EXPECT_EQ(r.executions, 9u);
  EXPECT_EQ(r.findings.size(), 1u);
  EXPECT_TRUE(machine_.asked[0].undone);
  EXPECT_FALSE(machine_.asked[1].undone);
  EXPECT_TRUE(has_note(r, "takes back"));
}

TEST_F(RestartsTest, RoundsAreCountedAnewWhenMoreOfThemAreFollowed) {
  request_.keep_going = true;
  const Result r = run({result(1, {cut(kLoop, true)}), result(2, {{Assumption::undone}, cut(kLoop)}), result(3)});
  EXPECT_EQ(machine_.asked[1].rounds.most, 1u);
  EXPECT_TRUE(machine_.asked[2].rounds.ends);
  EXPECT_GT(machine_.asked[2].rounds.most, 1u);
  EXPECT_EQ(r.verdict, Verdict::verified);
}

TEST_F(RestartsTest, StoresThatAnotherThreadUsesAreEvents) {
  request_.keep_going = true;
  const Result r = run({result(9, {{Assumption::own}}, {finding(ErrorKind::assertion, kLoop)}), result(4)});
  EXPECT_EQ(r.executions, 9u);
  EXPECT_EQ(r.findings.size(), 1u);
  EXPECT_TRUE(machine_.asked[0].own);
  EXPECT_FALSE(machine_.asked[1].own);
  EXPECT_TRUE(has_note(r, "in no order"));
}

TEST_F(RestartsTest, WhereARaceMayBeLostRoundsAreShown) {
  request_.keep_going = true;
  Result lost = result(9, {{Assumption::left_out}});
  lost.promises = {{Promise::What::unread, false, 8, 8}, {Promise::What::unread, true, 8, 4}};
  const Result r = run({result(8, {{Assumption::left_out}}), lost, result(11)});
  EXPECT_EQ(r.executions, 11u);
  EXPECT_EQ(machine_.asked[0].left_out, LeftOut::ordered);
  EXPECT_EQ(machine_.asked[1].left_out, LeftOut::watched);
  EXPECT_EQ(machine_.asked[2].left_out, LeftOut::shown);
  EXPECT_EQ(machine_.asked[2].looks, machine_.asked[0].looks);
  EXPECT_TRUE(has_note(r, "reads while it waits"));
}

TEST_F(RestartsTest, UnderRaNoRaceIsLost) {
  request_.model = ModelKind::ra;
  run({result(4)});
  EXPECT_EQ(machine_.asked[0].left_out, LeftOut::harmless);
}

TEST_F(RestartsTest, OfSkippedRoundsAllCounts) {
  request_.keep_going = true;
  const Result r = run({result(9, {{Assumption::spins}}, {finding(ErrorKind::assertion, kLoop)}), result(4)});
  EXPECT_EQ(r.executions, 9u);  // the second one was ended before it came so far
  ASSERT_EQ(r.findings.size(), 1u);
  EXPECT_EQ(r.verdict, Verdict::error);
}

TEST_F(RestartsTest, OfExecutionsWithFewerActionsOnlyErrorsCount) {
  request_.keep_going = true;
  const Result r = run({result(9, {{Assumption::suppressed}}, {finding(ErrorKind::assertion, kLoop)}), result(4)});
  EXPECT_EQ(r.executions, 4u);
  EXPECT_EQ(r.findings.size(), 1u);
}

TEST_F(RestartsTest, OfExecutionsThatStandForManyOnlyErrorsCount) {
  request_.keep_going = true;
  const Result r = run({result(1, {{Assumption::arrivals}}, {finding(ErrorKind::assertion, kLoop)}), result(6)});
  EXPECT_EQ(r.executions, 6u);
  EXPECT_EQ(r.findings.size(), 1u);
}

TEST_F(RestartsTest, TheFirstErrorIsTheAnswer) {
  const Result r = run({result(1, {{Assumption::spins}, cut(kLoop)}, {finding(ErrorKind::race, kLoop)})});
  EXPECT_EQ(r.verdict, Verdict::error);
  EXPECT_TRUE(r.limits.empty());
}

TEST_F(RestartsTest, LoopsGoRoundTwiceAsOftenEachTime) {
  const Result r =
      run({result(1, {cut(kLoop, true)}), result(1, {cut(kLoop)}), result(2, {cut(kLoop), cut(kOther)}), result(8)});
  EXPECT_EQ(r.verdict, Verdict::verified);
  EXPECT_EQ(r.executions, 8u);
  EXPECT_EQ(seen_[1].rounds.most, 1u);
  EXPECT_FALSE(seen_[1].rounds.ends);
  EXPECT_EQ(seen_[2].rounds.at, (std::map<SiteId, uint32_t>{{kLoop, 2}}));
  EXPECT_EQ(seen_[3].rounds.at, (std::map<SiteId, uint32_t>{{kLoop, 4}, {kOther, 2}}));
}

TEST_F(RestartsTest, ALimitTellsHowOftenEachLoopHasGoneRound) {
  Result last = result(1, {cut(kOther)});
  last.limits.push_back({Limit::time});
  last.verdict = Verdict::incomplete;
  const Result r = run({result(1, {cut(kLoop, true)}), result(1, {cut(kLoop)}), result(3, {cut(kLoop)}), last});
  EXPECT_EQ(r.verdict, Verdict::incomplete);
  EXPECT_EQ(r.executions, 3u);
  ASSERT_EQ(r.limits.size(), 3u);
  EXPECT_EQ(r.limits[1].site, kLoop);
  EXPECT_EQ(r.limits[1].tried, 2u);
  EXPECT_EQ(r.limits[2].site, kOther);
  EXPECT_EQ(r.limits[2].tried, 0u);
}

TEST_F(RestartsTest, TrylocksThatMayFailAreEnoughIfNoErrorShows) {
  const Result r = run({result(2, {{Assumption::passing}}), result(5, {{Assumption::passing}}), result(6)});
  EXPECT_EQ(seen_[1].passing, Passing::may_be_seen);
  EXPECT_EQ(seen_[2].passing, Passing::may_be_seen);
  EXPECT_EQ(r.verdict, Verdict::verified);
  EXPECT_EQ(r.executions, 6u);
  EXPECT_TRUE(has_note(r, "may fail at any time"));
}

TEST_F(RestartsTest, AnErrorWithATrylockThatFailsForNoReasonIsConfirmed) {
  const Result r =
      run({result(2, {{Assumption::passing}}), result(9, {}, {finding(ErrorKind::assertion, kLoop, true)}), result(3)});
  EXPECT_EQ(seen_[2].passing, Passing::seen);
  EXPECT_EQ(r.verdict, Verdict::verified);
  EXPECT_EQ(r.executions, 3u);
  EXPECT_TRUE(has_note(r, "are followed"));
}

TEST_F(RestartsTest, AnErrorThatIsNotConfirmedIsNotKeptByAnotherRestart) {
  const Result r = run({result(2, {{Assumption::passing}}),
                        result(9, {{Assumption::spins}}, {finding(ErrorKind::assertion, kLoop, true)}), result(4)});
  EXPECT_EQ(seen_[2].passing, Passing::may_be_seen);
  EXPECT_EQ(r.verdict, Verdict::verified);
  EXPECT_TRUE(r.findings.empty());
  EXPECT_EQ(r.executions, 4u);
}

TEST_F(RestartsTest, ARealErrorWithTrylocksThatMayFailNeedsNoConfirmation) {
  const Result r = run({result(2, {{Assumption::passing}}), result(9, {}, {finding(ErrorKind::assertion, kLoop)})});
  EXPECT_EQ(r.verdict, Verdict::error);
  EXPECT_EQ(r.findings.size(), 1u);
}

TEST_F(RestartsTest, WhatWasNotExploredWithTrylocksThatMayFailIsExplored) {
  Result limited = result(9);
  limited.limits.push_back({Limit::steps, kLoop});
  limited.verdict = Verdict::incomplete;
  const Result r = run({result(2, {{Assumption::passing}}), limited, result(3)});
  EXPECT_EQ(seen_[2].passing, Passing::seen);
  EXPECT_EQ(r.verdict, Verdict::verified);
}

TEST_F(RestartsTest, RoundsBeginAnewWithAnotherLevelOfPassing) {
  const Result r = run({result(1, {cut(kLoop, true)}), result(1, {{Assumption::passing}, cut(kLoop)}),
                        result(1, {cut(kLoop, true)}), result(1, {cut(kLoop)}), result(7)});
  EXPECT_TRUE(seen_[2].rounds.ends);
  EXPECT_EQ(seen_[4].rounds.at, (std::map<SiteId, uint32_t>{{kLoop, 2}}));
  EXPECT_EQ(r.verdict, Verdict::verified);
}

TEST_F(RestartsTest, AnEstimateDoesNotDeepen) {
  request_.estimate = true;
  const Result r = run({result(1, {{Assumption::spins}}), result(1, {cut(kLoop)})});
  EXPECT_FALSE(seen_[0].rounds.ends);
  EXPECT_EQ(r.broken, (std::vector<Broken>{cut(kLoop)}));
  EXPECT_TRUE(r.limits.empty());
}

TEST_F(RestartsTest, AnEstimateStartsAgainWithTrylocksThatMayFail) {
  request_.estimate = true;
  Result limited = result(1);
  limited.limits.push_back({Limit::time});
  limited.verdict = Verdict::incomplete;
  run({result(1, {{Assumption::passing}}), limited});
  EXPECT_EQ(seen_[1].passing, Passing::may_be_seen);
}

TEST_F(RestartsTest, WithoutACompleteExecutionNothingIsVerified) {
  const Result r = run({result(0)});
  EXPECT_EQ(r.verdict, Verdict::incomplete);
  ASSERT_EQ(r.limits.size(), 1u);
  EXPECT_EQ(r.limits[0].limit, Limit::assumption);
  EXPECT_EQ(run({result(0, {}, {finding(ErrorKind::assertion, kLoop)})}).verdict, Verdict::error);
}

// Values that are not tried are no reason to follow rounds, or to stop at a number of them.
TEST_F(RestartsTest, InputsThatAreLeftOutDoNotEndTheSearch) {
  const auto with_inputs = [](Result r) {
    r.limits.push_back({Limit::inputs, kOther, 3});
    r.verdict = Verdict::incomplete;
    return r;
  };
  const Result r = run({with_inputs(result(2, {{Assumption::passing}})), with_inputs(result(9, {cut(kLoop, true)})),
                        with_inputs(result(9, {cut(kLoop)})), with_inputs(result(9))});
  EXPECT_EQ(seen_[3].passing, Passing::may_be_seen);
  EXPECT_EQ(r.verdict, Verdict::incomplete);
  EXPECT_EQ(r.limits, (std::vector<LimitHit>{{Limit::inputs, kOther, 3}}));
}

TEST_F(RestartsTest, InterleavingsHaveNoTwins) {
  request_.algorithm = Algorithm::await;
  run({result(1)});
  EXPECT_FALSE(seen_[0].twins);
}

}  // namespace
}  // namespace heddle
