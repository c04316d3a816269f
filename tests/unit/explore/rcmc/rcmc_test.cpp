// The examples of RCMC, and the verdicts of the exploration. That the executions are the right ones is
// shown by tests/differential.
#include <gtest/gtest.h>

#include "core/error.hpp"
#include "differential/compare.hpp"
#include "explore/explore.hpp"
#include "machine/script/script_machine.hpp"
#include "script/script_text.hpp"
#include "unit/explore/scripts.hpp"

namespace heddle {
namespace {

Result rcmc(std::string_view text, ModelKind model = ModelKind::rc11, Request request = {}) {
  ScriptMachine machine(parse_script(text));
  request.algorithm = Algorithm::rcmc;
  request.model = model;
  return explore(machine, request);
}

Result count(std::string_view text, ModelKind model) {
  Request options;
  options.rcmc.count_duplicates = true;
  return rcmc(text, model, options);
}

struct Counts {
  std::string script;
  uint64_t rc11, wrc11;
};

TEST(Rcmc, ExploresEachExecutionOnceWithoutRmws) {
  const Counts counts[] = {
      {"|| x = 1 rlx || r0 = x rlx", 2, 2},                                              // §2.1: W+R
      {"|| r0 = x rlx || x = 1 rlx", 2, 2},                                              // the same by a revisit
      {"|| x = 1 rlx; x = 2 rlx || r0 = x rlx", 3, 3},                                   // COWW+R
      {"|| r0 = x rlx || x = 1 rlx; x = 2 rlx", 3, 3},                                   // by revisits
      {"|| r0 = x rlx; r1 = x rlx || r0 = x rlx; x = 1 rlx", 3, 3},                      // no thread reads its future
      {"|| r0 = x rlx; r1 = x rlx || r0 = x rlx || x = 1 rlx", 6, 6},                    // §2.2: CO2RRW
      {"|| x = 1 rlx || x = 2 rlx || r0 = x rlx; r1 = x rlx || r0 = x rlx; r1 = x rlx",  // §2.3: CORR2
       72, 49},
      {"|| r0 = x rlx; r1 = x rlx || r0 = x rlx; r1 = x rlx || x = 1 rlx || x = 2 rlx", 72, 49},
      {"|| x = 1 rlx; r0 = y rlx || y = 1 rlx; r0 = x rlx", 4, 4},     // SB
      {"|| r0 = y rlx; x = 1 rlx || r0 = x rlx; y = 1 rlx", 3, 3},     // LB
      {"|| x = 1 rlx; y = 1 rel || r0 = y acq; r1 = x rlx", 3, 3},     // §2.5.1: MP
      {"|| x = 1 rlx || x = 2 rlx || x = 3 rlx || x = 4 rlx", 24, 1},  // §5: N! orders, or none
      {"|| r0 = choose 3; x = 1 rlx || r0 = choose 2; r1 = x rlx", 12, 12},
  };
  for (const Counts& c : counts) {
    for (const auto& [model, wanted] : {std::pair(ModelKind::rc11, c.rc11), std::pair(ModelKind::wrc11, c.wrc11)}) {
      const Result r = count(c.script, model);
      EXPECT_EQ(r.executions, wanted) << name(model) << "\n" << c.script;
      EXPECT_EQ(r.duplicates, 0u) << name(model) << "\n" << c.script;
    }
  }
}

TEST(Rcmc, Rmws) {
  const Counts counts[] = {
      {threads(2, "r0 = add x 1 rlx"), 2, 2},  // §2.4: FAIS
      {threads(4, "r0 = add x 1 rlx"), 24, 24},
      {threads(3, "r0 = add x 1 rlx; r0 = add y 1 rlx"), 36, 36},
      // LB+FAIS: x and y as in LB (3), times the two orders of z, less those in which an rf of z closes a cycle.
      {"|| r0 = x rlx; r1 = add z 1 rlx; y = 1 rlx || r0 = y rlx; r1 = add z 1 rlx; x = 1 rlx", 4, 4},
      {threads(4, "lock m; unlock m"), 24, 24},
      // §5: after 0 and 1 only 2 is left.
      {"|| r0 = add x 1 rlx || r0 = add x 1 rlx; r1 = x rlx", 3, 3},
  };
  for (const Counts& c : counts) {
    EXPECT_EQ(count(c.script, ModelKind::rc11).executions, c.rc11) << c.script;
    EXPECT_EQ(count(c.script, ModelKind::wrc11).executions, c.wrc11) << c.script;
  }
}

// Without errors the executions are those of the brute force.
void expect_exact(const std::string& text) {
  for (const ModelKind model : {ModelKind::rc11, ModelKind::wrc11}) {
    EXPECT_EQ(differential::disagreement(parse_script(text), model, 1'000'000, Algorithm::rcmc), "")
        << name(model) << "\n"
        << text;
  }
}

TEST(Rcmc, TwoRevisitedReadsMayBecomeExclusive) {
  // Fig. 8: the failed cas and the increment of thread 2 both read from the increment of thread 3 for a moment.
  const std::string fig8 = "|| r0 = cas x 1 42 rlx rlx || r0 = add x 1 rlx || r0 = add x 1 rlx";
  ScriptMachine machine(parse_script(fig8));
  EXPECT_EQ(count(fig8, ModelKind::rc11).executions, heddle::explore(machine, {}).executions);
  expect_exact(fig8);
  expect_exact("|| r0 = cas x 1 42 rlx rlx || r0 = add x 1 rlx || r0 = add x 1 rlx || r0 = cas x 1 43 rlx rlx");
}

TEST(Rcmc, OneExecutionIsReachedTwiceWithRmws) {
  // §2.4, §4.6: FAIS with a third thread.
  const Result r = count("|| r0 = add x 1 rlx || r0 = add x 1 rlx || x = 42 rlx", ModelKind::rc11);
  ScriptMachine machine(parse_script("|| r0 = add x 1 rlx || r0 = add x 1 rlx || x = 42 rlx"));
  EXPECT_EQ(r.executions, heddle::explore(machine, {}).executions);
  EXPECT_GT(r.duplicates, 0u);
  // Table 2: binc.
  const uint64_t duplicates[] = {2, 98};
  for (const unsigned n : {3u, 4u}) {
    const std::string binc = threads(n, "r0 = add x 1 rlx; r0 = add y 1 rlx");
    EXPECT_EQ(count(binc, ModelKind::rc11).duplicates, duplicates[n - 3]);
    EXPECT_EQ(count(binc, ModelKind::wrc11).duplicates, duplicates[n - 3]);
    const Result all = rcmc(binc);
    EXPECT_EQ(all.executions, count(binc, ModelKind::rc11).executions + duplicates[n - 3]);
    EXPECT_EQ(all.duplicates, 0u);
  }
}

TEST(Rcmc, ThreadsOfEarlierExecutionsAreNoPartOfThisOne) {
  const Result r = count(
      "main: create 1; create 2; r1 = xchg z 1 rlx; if r1 != 1 skip 1; create 3\n"
      "|| r0 = xchg z 1 rlx || z = 0 rlx || ",
      ModelKind::rc11);
  EXPECT_EQ(r.executions, 6u);  // the orders of three writes
  EXPECT_EQ(r.duplicates, 1u);
}

TEST(Rcmc, ACycleOfPscIsNoExecutionButMayLeadToOne) {
  // Fig. 6, and §2.5.3 with a third thread that mends it.
  EXPECT_EQ(rcmc("|| x = 1 sc; r0 = y sc || y = 1 sc; r0 = x sc").executions, 3u);
  Request options;
  options.rcmc.psc = false;
  EXPECT_EQ(rcmc("|| x = 1 sc; r0 = y sc || y = 1 sc; r0 = x sc", ModelKind::rc11, options).executions, 4u);
  expect_exact("|| x = 1 sc; r0 = y sc || y = 1 sc; r0 = x sc || y = 2 sc");
  expect_exact("|| x = 1 rlx; fence sc; r0 = y rlx || y = 1 rlx; fence sc; r0 = x rlx || y = 2 rlx");
}

TEST(Rcmc, AnErrorBehindACycleOfPscIsNone) {
  const std::string both_in = "r1 = set add r0 0; if r1 == 1 skip 2; r2 = n rlx; n = 1 rlx";
  const std::string plain = "if r0 == 1 skip 1; n = 1 na";
  for (const ModelKind model : {ModelKind::rc11, ModelKind::wrc11}) {
    for (const bool psc : {true, false}) {
      Request options;
      options.rcmc.psc = psc;
      const Result sc = rcmc("|| x = 1 sc; r0 = y sc; " + plain + " || y = 1 sc; r0 = x sc; " + plain, model, options);
      EXPECT_EQ(sc.verdict, Verdict::verified);
    }
    const Result ra = rcmc("|| x = 1 rel; r0 = y acq; " + plain + " || y = 1 rel; r0 = x acq; " + plain, model);
    ASSERT_EQ(ra.findings.size(), 1u);
    EXPECT_EQ(ra.findings[0].error.kind, ErrorKind::race);
    // The third thread lets both in.
    const Result third =
        rcmc("|| x = 1 sc; r0 = y sc; " + plain + " || y = 1 sc; r0 = x sc; " + plain + " || y = 0 sc", model);
    ASSERT_EQ(third.findings.size(), 1u);
    EXPECT_EQ(third.findings[0].error.kind, ErrorKind::race);
  }
  expect_exact("|| x = 1 sc; r0 = y sc; " + both_in + " || y = 1 sc; r0 = x sc; " + both_in + " || y = 0 sc");
}

TEST(Rcmc, AFailedAssertionIsAnErrorWithItsExecution) {
  const Result r = rcmc("|| x = 1 rlx; y = 1 rlx || r0 = y rlx; r1 = x rlx; if r0 == 0 skip 1; assert r1 == 1");
  EXPECT_EQ(r.verdict, Verdict::error);
  ASSERT_EQ(r.findings.size(), 1u);
  EXPECT_EQ(r.findings[0].error.kind, ErrorKind::assertion);
  const Trace& trace = r.findings[0].trace;
  for (std::size_t i = 0; i < trace.steps.size(); ++i) EXPECT_LT(trace.steps[i].rf, static_cast<int>(i));
  EXPECT_EQ(rcmc("|| x = 1 rlx; y = 1 rel || r0 = y acq; r1 = x rlx; if r0 == 0 skip 1; assert r1 == 1").verdict,
            Verdict::verified);
}

TEST(Rcmc, DeadlocksAreFoundAndNamed) {
  for (const ModelKind model : {ModelKind::rc11, ModelKind::wrc11}) {
    const Result cross = rcmc("|| lock a; lock b; unlock b; unlock a || lock b; lock a; unlock a; unlock b", model);
    ASSERT_EQ(cross.findings.size(), 1u);
    EXPECT_EQ(cross.findings[0].error.kind, ErrorKind::deadlock);
    EXPECT_NE(cross.findings[0].error.message.find("waits for mutex b held by T2"), std::string::npos)
        << cross.findings[0].error.message;
    const Result wait = rcmc("|| r0 = x rlx until == 1", model);
    ASSERT_EQ(wait.findings.size(), 1u);
    EXPECT_EQ(wait.findings[0].error.kind, ErrorKind::livelock);
    EXPECT_EQ(rcmc("|| r0 = x rlx until == 1 || x = 1 rlx", model).verdict, Verdict::verified);
    EXPECT_TRUE(rcmc("|| r0 = x rlx assuming == 1", model).findings.empty());
    EXPECT_EQ(rcmc("|| lock a; lock b; unlock b; unlock a || lock a; lock b; unlock b; unlock a", model).verdict,
              Verdict::verified);
    // 2 may be the last.
    EXPECT_EQ(rcmc("|| r0 = x rlx until == 1 || x = 1 rlx; x = 2 rlx", model).verdict, Verdict::error);
  }
  // Which of the two is the last, RC11 says in each execution; WRC11 never does.
  EXPECT_EQ(rcmc("|| r0 = x rlx until == 1 || x = 1 rlx || x = 2 rlx", ModelKind::rc11).verdict, Verdict::error);
  EXPECT_EQ(rcmc("|| r0 = x rlx until == 1 || x = 1 rlx || x = 2 rlx", ModelKind::wrc11).verdict, Verdict::verified);
}

TEST(Rcmc, LimitsAreNeverVerified) {
  Request options;
  options.max_executions = 5;
  const Result cut = rcmc(threads(4, "r0 = add x 1 rlx"), ModelKind::rc11, options);
  EXPECT_EQ(cut.verdict, Verdict::incomplete);
  EXPECT_EQ(cut.executions, 5u);
  ASSERT_EQ(cut.limits.size(), 1u);
  EXPECT_EQ(cut.limits[0].limit, Limit::executions);
}

TEST(Rcmc, OtherModelsAreRefused) {
  for (const ModelKind model : {ModelKind::sc, ModelKind::tso, ModelKind::pso, ModelKind::ra}) {
    EXPECT_THROW(rcmc("|| x = 1 rlx", model), UserError);
  }
}

}  // namespace
}  // namespace heddle
