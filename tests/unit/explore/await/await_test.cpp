// The examples of optimal-dpor-await, and what the paper leaves open. That the classes are the right ones in general is
// shown by heddle_fuzz --algorithm await.
#include <gtest/gtest.h>

#include <algorithm>

#include "core/error.hpp"
#include "differential/interleavings.hpp"
#include "explore/await/wakeup_tree.hpp"
#include "explore/explore.hpp"
#include "machine/script/script_machine.hpp"
#include "script/script_text.hpp"
#include "unit/explore/scripts.hpp"

namespace heddle {
namespace {

Result classes(const std::string& text, bool commute = true, Request request = {}) {
  ScriptMachine machine(parse_script(text));
  request.algorithm = Algorithm::await;
  request.model = ModelKind::sc;
  request.await.commute = commute;
  return heddle::explore(machine, request);
}

Request going_on() {
  Request request;
  request.keep_going = true;
  return request;
}

// Each class exactly once, and all else that the fuzzer compares.
void expect_each_class(const std::string& text) {
  EXPECT_EQ(differential::await_disagreement(parse_script(text), 10'000), "") << text;
}

bool has_found(const Result& r, ErrorKind kind) {
  return std::ranges::any_of(r.findings, [&](const Finding& f) { return f.error.kind == kind; });
}

struct ClassCount {
  std::string script;
  uint64_t executions;
};

TEST(Await, CountsClasses) {
  const ClassCount counts[] = {
      {"|| x = 1 sc; y = 1 sc || x = 2 sc; y = 2 sc", 4},                          // Fig. 3
      {"|| x = 1 sc; x = 0 sc || r0 = x sc until == 0", 2},                        // Fig. 4
      {"|| x = 1 sc || r0 = x sc until == 1; y = 1 sc", 1},                        // Fig. 2c
      {"|| r0 = x sc until == 1; x = 2 sc || x = 1 sc; r0 = x sc until == 2", 1},  // Fig. 1
      // A lock: each order of its holders, and nobody waits in vain.
      {threads(4, "r0 = xchg l 1 sc until == 0; l = 0 sc"), 24},
      {threads(5, "r0 = xchg l 1 sc until == 0; l = 0 sc"), 120},
      {threads(4, "r0 = cas l 0 1 sc sc until; l = 0 sc"), 24},
      {threads(3, "r0 = l sc until == 0; r0 = xchg l 1 sc until == 0; l = 0 sc"), 36},  // ttaslock(3), Table I
      {threads(4, "r0 = l sc until == 0; r0 = xchg l 1 sc until == 0; l = 0 sc"), 576},
      {threads(4, "lock m; unlock m"), 24},
      {threads(4, "lock m; r0 = x na; x = r0+1 na; unlock m"), 24},
      // A choice is part of the execution.
      {"|| r0 = choose 3; x = r0 sc || r0 = x sc", 6},
      {"|| r0 = choose 3; x = 1 sc || r0 = choose 2; r1 = x sc", 12},
      // Whether a cas writes depends on who comes first.
      {threads(2, "r0 = cas x 0 1 sc sc"), 2},
      {threads(3, "r0 = cas x 0 1 sc sc"), 3},
      {"|| r0 = cas x 0 1 sc sc || r0 = cas x 1 2 sc sc", 2},
      // A read before an exchange that waits for the value that the read does not change.
      {"|| r0 = x sc || r0 = xchg x 1 sc until == 0", 2},
  };
  for (const ClassCount& c : counts) {
    const Result r = classes(c.script);
    EXPECT_EQ(r.executions, c.executions) << c.script;
    EXPECT_EQ(r.blocked, 0u) << c.script;
    EXPECT_EQ(r.verdict, Verdict::verified) << c.script;
    if (c.executions < 24) expect_each_class(c.script);
  }
}

TEST(Await, RmwsCommute) {
  const std::pair<std::string, std::pair<uint64_t, uint64_t>> counts[] = {
      {threads(4, "add x 1 sc"), {1, 24}},
      {threads(4, "r0 = add x 1 sc"), {24, 24}},  // the results are used
      {"|| add x 1 sc || sub x 2 sc || add x 3 sc", {1, 6}},
      {"|| or x 1 sc || or x 2 sc || add x 4 sc", {4, 6}},  // the add comes before, after or between the two
      {"|| and x 1 sc || and x 2 sc || xor x 1 sc || xor x 2 sc", {14, 24}},
      {"|| xchg x 1 sc || xchg x 2 sc", {2, 2}},
      {"|| add x 1 sc || add x 1 sc || r0 = x sc", {4, 6}},  // which of them does the read see
      {"|| add x 1 sc || add x 1 sc || r0 = x sc until == 2", {1, 2}},
      {"|| add x 1 sc until == 0 || add x 1 sc", {1, 1}},  // it waits: its result is used
  };
  for (const auto& [script, wanted] : counts) {
    EXPECT_EQ(classes(script, true, going_on()).executions, wanted.first) << script;
    EXPECT_EQ(classes(script, false, going_on()).executions, wanted.second) << script;
    expect_each_class(script);
  }
}

// Fig. 5: only without the first two can the await go on. With them it waits for ever, which is a livelock.
TEST(Await, LeavesOutSeveralRmws) {
  const std::string script = "|| add x 1 sc || add x 1 sc || add x 3 sc || r0 = x sc until == 3";
  const Result r = classes(script, true, going_on());
  EXPECT_EQ(r.executions, 1u);
  EXPECT_TRUE(has_found(r, ErrorKind::livelock));
  EXPECT_EQ(classes(script, false, going_on()).executions, 2u);
  expect_each_class(script);
}

// A barrier: which of the others leaves first makes no difference, and no set of arrivals but all lets anybody go on.
TEST(Await, Barrier) {
  EXPECT_EQ(classes(threads(3, "add x 1 sc; r0 = x sc until == 3")).executions, 1u);
  expect_each_class(threads(3, "add x 1 sc; r0 = x sc until == 3"));
  EXPECT_EQ(classes(threads(40, "add x 1 sc; r0 = x sc until == 40")).executions, 1u);
}

// Where can-stop would stay true, a class is lost.
TEST(Await, TriesAllRmwsOfARun) {
  expect_each_class(
      "main: create 2; create 1; create 3 || add x 1 rlx || r0 = x rlx until == 1 "
      "|| r0 = x rlx; add x 1 rlx; x = 1 rlx");
}

TEST(Await, AcquiresOnlyWhatComesBefore) {
  // The other order of the two rmws has the race, and it is in the same class.
  const std::string race = "|| x = 1 na; add y 1 sc || add y 1 sc; r0 = x na";
  EXPECT_TRUE(has_found(classes(race), ErrorKind::race));
  expect_each_class(race);
  // Here the first rmw comes first in any case.
  const std::string ordered = "|| x = 1 na; add y 1 sc; z = 1 rlx || r0 = z rlx until == 1; add y 1 sc; r0 = x na";
  EXPECT_EQ(classes(ordered).verdict, Verdict::verified);
  expect_each_class(ordered);
  // By a fence, too.
  const std::string fence = "|| x = 1 na; add y 1 rel || add y 1 rlx; fence acq; r0 = x na";
  EXPECT_TRUE(has_found(classes(fence), ErrorKind::race));
  expect_each_class(fence);
}

TEST(Await, AThreadThatWaitsMayRace) {
  const std::string race = "|| r0 = x acq until == 2 || x = 1 na; x = 2 rel";
  EXPECT_TRUE(has_found(classes(race), ErrorKind::race));
  expect_each_class(race);
  const std::string none = "|| r0 = y acq until == 1; r0 = x acq until == 2 || x = 1 na; x = 2 rel; y = 1 rel";
  EXPECT_EQ(classes(none).verdict, Verdict::verified);
  expect_each_class(none);
}

TEST(Await, DeadlocksAndLivelocks) {
  EXPECT_TRUE(has_found(classes("|| lock a; lock b; unlock b; unlock a || lock b; lock a; unlock a; unlock b"),
                        ErrorKind::deadlock));
  EXPECT_TRUE(
      has_found(classes("|| r0 = x sc until == 1; y = 1 sc || r0 = y sc until == 1; x = 1 sc"), ErrorKind::livelock));
  // Stopped on purpose: not an error.
  EXPECT_TRUE(classes("|| r0 = x sc assuming == 1; y = 1 sc || r0 = y sc until == 1").findings.empty());
  const Result r = classes("|| r0 = x sc; assume r0 == 1; y = 1 sc || r0 = y sc until == 1");
  EXPECT_EQ(r.verdict, Verdict::incomplete);  // no execution is complete
  EXPECT_TRUE(r.findings.empty());
  EXPECT_EQ(r.blocked, 1u);
}

TEST(Await, Limits) {
  Request request;
  request.max_executions = 6;
  EXPECT_EQ(classes(threads(3, "lock m; unlock m"), true, request).verdict, Verdict::verified);
  request.max_executions = 5;
  const Result r = classes(threads(3, "lock m; unlock m"), true, request);
  EXPECT_EQ(r.verdict, Verdict::incomplete);
  EXPECT_EQ(r.executions, 5u);
}

// A failed thread stops, the others go on: their races are still reversed.
TEST(Await, GoesOnAfterAnError) {
  const Result r =
      classes("|| r0 = x sc; assert r0 == 0 || x = 1 sc; x = 2 sc || r1 = x sc; assert r1 != 2", true, going_on());
  EXPECT_EQ(r.findings.size(), 2u);
}

TEST(WakeupTree, InsertsWhatIsNotThere) {
  const auto step = [](unsigned thread, Effect effect, unsigned loc) {
    Label l;
    l.thread = ThreadId(thread);
    l.effect = effect;
    l.loc = LocId(loc);
    return l;
  };
  const Label wx1 = step(1, Effect::write, 0);
  const Label wx2 = step(2, Effect::write, 0);
  const Label rx3 = step(3, Effect::read, 0);
  const Label ry3 = step(3, Effect::read, 1);
  WakeupTrees trees;
  WakeupTrees::Tree tree;
  const auto insert = [&](Sequence v) { trees.insert(tree, SleepSet{}, v); };
  insert({wx1, wx2});
  insert({ry3, wx1, wx2});  // leads to the same leaf
  insert({wx1, rx3, wx2});  // a read between the two
  EXPECT_EQ(trees.first(tree), wx1);
  WakeupTrees::Tree rest = trees.take_first(tree);
  EXPECT_TRUE(tree.empty());
  EXPECT_EQ(trees.first(rest), wx2);
  trees.take_first(rest);
  EXPECT_EQ(trees.first(rest), rx3);
  WakeupTrees::Tree last = trees.take_first(rest);
  EXPECT_TRUE(rest.empty());
  EXPECT_EQ(trees.first(last), wx2);
}

}  // namespace
}  // namespace heddle
