// Counts that follow by an argument, and the verdicts of the exploration. That the executions are the right ones is
// shown by tests/differential.
#include <gtest/gtest.h>

#include <algorithm>

#include "explore/explore.hpp"
#include "explore/replay/ordered_machine.hpp"
#include "machine/script/script_machine.hpp"
#include "script/script_text.hpp"
#include "unit/explore/scripts.hpp"

namespace heddle {
namespace {

Result explore(std::string_view text, ModelKind model = ModelKind::rc11, Request request = {}) {
  ScriptMachine machine(parse_script(text));
  request.model = model;
  return explore(machine, request);
}

struct Count {
  std::string script;
  uint64_t rc11, sc;
};

// A load, and a cas that assumes that nothing has come between.
std::string confirming(std::string_view mode) {
  return "r0 = x " + std::string(mode) + "; r1 = cas x r0 r0+1 sc rlx assuming";
}

TEST(Spore, ConfirmsLooksWithoutBlockedExecutions) {
  Script script = parse_script(threads(4, confirming("sc")));
  const auto count = [&](bool symmetry = false) {
    ScriptMachine machine(script, symmetry);
    return explore(machine, {});
  };
  EXPECT_EQ(count().executions, 24);
  EXPECT_GT(count().blocked, 0);
  EXPECT_GT(count(true).blocked, 0);
  script.confirms = true;
  EXPECT_EQ(count().executions, 24);
  EXPECT_EQ(count().blocked, 0);
  EXPECT_EQ(count(true).executions, 1);
  EXPECT_EQ(count(true).blocked, 0);
}

TEST(Spore, ConfirmsOnlyWhereTheSourceHasItsOrders) {
  Script script = parse_script("|| " + confirming("rlx"));
  script.confirms = true;
  ScriptMachine machine(script);
  SiteTable sites;
  while (sites.size() < 100) sites.add({.file = "script"});
  OrderedMachine ordered(machine, sites);
  const auto confirms = [](Machine& m) {
    m.restart();
    m.perform(kMain, {}, {});
    m.perform(ThreadId{1}, {}, {});
    return m.pending(ThreadId{1}).confirms;
  };
  EXPECT_TRUE(confirms(machine));
  EXPECT_FALSE(confirms(ordered));
}

// What a queue of Michael and Scott does: two looks, the first is made sure of, and the second is replaced.
TEST(Spore, RechecksReadWhatTheLookHasRead) {
  constexpr const char* kPut = "r0 = x acq; r1 = y acq; r2 = x acq assuming == r0; r3 = cas y r1 r1+1 rel rlx assuming";
  Script script = parse_script(threads(3, kPut));
  const auto run = [&](bool symmetry = false) {
    ScriptMachine machine(script, symmetry);
    return explore(machine, {});
  };
  EXPECT_EQ(run().executions, 6);
  EXPECT_GT(run().blocked, 0);
  script.rechecks = true;
  EXPECT_EQ(run().executions, 6);
  EXPECT_EQ(run().blocked, 0);
  EXPECT_EQ(run(true).executions, 1);
}

TEST(Spore, AValueThatComesBackStartsAgain) {
  // The reader may find 0 before and after, and 1 in between.
  Script script = parse_script(
      "|| x = 1 sc; y = 1 sc; y = 0 sc; x = 0 sc || r0 = x sc; r1 = y sc; r2 = x sc assuming == r0; "
      "if r0 != 0 skip 1; assert r1 == 0");
  script.rechecks = true;
  ScriptMachine machine(script);
  const Result r = explore(machine, {});
  EXPECT_EQ(r.verdict, Verdict::error);
  EXPECT_TRUE(std::ranges::any_of(r.notes, [](const std::string& n) { return n.starts_with("a value comes back"); }));
}

TEST(Spore, ExploresEachExecutionOnce) {
  const Count counts[] = {
      {"|| x = 1 rlx || r0 = x rlx", 2, 2},                            // rcmc §2.1
      {"|| x = 1 rlx || r0 = x rlx || r0 = x rlx", 4, 4},              // spore Example 1
      {"|| r0 = x rlx || r0 = x rlx || x = 1 rlx", 4, 4},              // the same, all by revisits
      {"|| r0 = x rlx; r1 = x rlx || r0 = x rlx || x = 1 rlx", 6, 6},  // rcmc §2.2: CO2RRW
      {"|| x = 1 rlx || r0 = x rlx || x = 2 rlx", 6, 6},               // spore Example 2: 3 reads × 2 orders
      {"|| x = 1 rlx || x = 2 rlx || r0 = x rlx; r1 = x rlx || r0 = x rlx; r1 = x rlx", 72, 72},  // rcmc §2.3: CORR2
      {"|| x = 1 rlx; r0 = y rlx || y = 1 rlx; r0 = x rlx", 4, 3},                                // SB
      {"|| r0 = y rlx; x = 1 rlx || r0 = x rlx; y = 1 rlx", 3, 3},                                // LB: porf is acyclic
      {threads(4, "r0 = add x 1 rlx"), 24, 24},                                                   // 4! orders
      {threads(3, "r0 = add x 1 rlx; r0 = add y 1 rlx"), 36,
       36},  // (3!)²: y never leads back to x, so any two orders fit
      {threads(4, "lock m; unlock m"), 24, 24},
      {"|| r0 = choose 3 || r0 = choose 2", 6, 6},
  };
  for (const Count& c : counts) {
    EXPECT_EQ(explore(c.script, ModelKind::rc11).executions, c.rc11) << c.script;
    EXPECT_EQ(explore(c.script, ModelKind::sc).executions, c.sc) << c.script;
  }
}

TEST(Spore, AFailedAssertionIsAnErrorWithItsExecution) {
  const Result r = explore("|| x = 1 rlx; y = 1 rlx || r0 = y rlx; r1 = x rlx; if r0 == 0 skip 1; assert r1 == 1");
  EXPECT_EQ(r.verdict, Verdict::error);
  ASSERT_EQ(r.findings.size(), 1u);
  EXPECT_EQ(r.findings[0].error.kind, ErrorKind::assertion);
  const Trace& trace = r.findings[0].trace;
  // Each read names the step that it reads from, and that step came before.
  bool saw_flag = false;
  bool saw_stale = false;
  for (std::size_t i = 0; i < trace.steps.size(); ++i) {
    const TraceStep& s = trace.steps[i];
    EXPECT_LT(s.rf, static_cast<int>(i));
    if (s.action.kind == ActionKind::load && s.location == "y") saw_flag = s.rf >= 0 && s.read == Value{1, 0};
    if (s.action.kind == ActionKind::load && s.location == "x") saw_stale = s.rf == -1 && s.read == Value{0, 0};
  }
  EXPECT_TRUE(saw_flag);
  EXPECT_TRUE(saw_stale);
}

TEST(Spore, ReleaseAndAcquireMendIt) {
  const Result r = explore("|| x = 1 rlx; y = 1 rel || r0 = y acq; r1 = x rlx; if r0 == 0 skip 1; assert r1 == 1");
  EXPECT_EQ(r.verdict, Verdict::verified);
  EXPECT_EQ(r.executions, 3u);
}

TEST(Spore, DeadlocksAreFoundAndNamed) {
  const Result cross = explore("|| lock a; lock b; unlock b; unlock a || lock b; lock a; unlock a; unlock b");
  ASSERT_EQ(cross.findings.size(), 1u);
  EXPECT_EQ(cross.findings[0].error.kind, ErrorKind::deadlock);
  EXPECT_NE(cross.findings[0].error.message.find("waits for mutex b held by T2"), std::string::npos)
      << cross.findings[0].error.message;
  const Result self = explore("|| lock a; lock a");
  ASSERT_EQ(self.findings.size(), 1u);
  EXPECT_EQ(self.findings[0].error.kind, ErrorKind::deadlock);
  const Result wait = explore("|| r0 = x rlx until == 1");
  ASSERT_EQ(wait.findings.size(), 1u);
  EXPECT_EQ(wait.findings[0].error.kind, ErrorKind::livelock);
  EXPECT_EQ(explore("|| lock a; lock b; unlock b; unlock a || lock a; lock b; unlock b; unlock a").verdict,
            Verdict::verified);
}

TEST(Spore, AFalseAssumeIsNoDeadlock) {
  const Result r = explore("|| lock a; r0 = x rlx; assume r0 == 1; unlock a || lock a; unlock a");
  EXPECT_EQ(r.verdict, Verdict::incomplete);  // no execution is complete
  ASSERT_EQ(r.limits.size(), 1u);
  EXPECT_EQ(r.limits[0].limit, Limit::assumption);
  EXPECT_TRUE(r.findings.empty());
  EXPECT_EQ(r.executions, 0u);
  EXPECT_GT(r.blocked, 0u);
  const Result waits = explore("|| lock a; r0 = x rlx assuming == 1; unlock a || lock a; unlock a");
  EXPECT_EQ(waits.verdict, Verdict::incomplete);
  EXPECT_TRUE(waits.findings.empty());
  EXPECT_EQ(waits.executions, 0u);
  EXPECT_GT(waits.blocked, 0u);
  const Result comes = explore("|| r0 = x rlx assuming == 2 || x = 1 rlx; x = 2 rlx");
  EXPECT_EQ(comes.executions, 1u);
  EXPECT_EQ(comes.blocked, 0u);
  const Result goes = explore("|| r0 = x rlx assuming == 2 || x = 1 rlx; x = 2 rlx; x = 3 rlx");
  EXPECT_EQ(goes.executions, 1u);
  EXPECT_EQ(goes.blocked, 1u);  // it may come too late
}

// Of the threads that read what has gone by, the first goes first, also if something is revisited later. The number is
// that of an enumeration of all interleavings.
TEST(Spore, AwaitsThatReadLateDoSoInOneOrder) {
  Request all;
  all.keep_going = true;
  const Result r = explore(
      "main: create 2; create 3; create 1; create 4 || x = 1 rlx; x = 0 rlx || r0 = x rlx; r1 = cas x r0 1 rlx rlx "
      "until || r0 = x rlx until == 1 || r0 = x rlx; r1 = cas x r0 1 rlx rlx until; r2 = x rlx",
      ModelKind::sc, all);
  EXPECT_EQ(r.executions, 177u);
}

TEST(Spore, PlainAccessesRace) {
  const std::string racy = "|| x = 1 na || r0 = x rlx";
  const Result r = explore(racy);
  ASSERT_EQ(r.findings.size(), 1u);
  EXPECT_EQ(r.findings[0].error.kind, ErrorKind::race);
  EXPECT_NE(r.findings[0].error.other_thread, kNoThread);
  Request ignore;
  ignore.races_ignore = true;
  EXPECT_EQ(explore(racy, ModelKind::rc11, ignore).executions, 2u);
  EXPECT_EQ(explore("|| x = 1 na; y = 1 rel || r0 = y acq; if r0 == 0 skip 1; r1 = x na").verdict, Verdict::verified);
}

TEST(Spore, LimitsAreNeverVerified) {
  Request options;
  options.max_executions = 5;
  const Result cut = explore(threads(4, "r0 = add x 1 rlx"), ModelKind::rc11, options);
  EXPECT_EQ(cut.verdict, Verdict::incomplete);
  EXPECT_EQ(cut.executions, 5u);
  ASSERT_EQ(cut.limits.size(), 1u);
  EXPECT_EQ(cut.limits[0].limit, Limit::executions);
  options.max_executions = 24;
  EXPECT_EQ(explore(threads(4, "r0 = add x 1 rlx"), ModelKind::rc11, options).verdict, Verdict::verified);
}

TEST(Spore, KeepGoingFindsAllErrorsOnce) {
  Request options;
  options.keep_going = true;
  const std::string text = "|| x = 1 rlx || x = 2 rlx || r0 = x rlx; assert r0 != 1; assert r0 != 2";
  EXPECT_EQ(explore(text).findings.size(), 1u);
  EXPECT_EQ(explore(text, ModelKind::rc11, options).findings.size(), 2u);
}

}  // namespace
}  // namespace heddle
