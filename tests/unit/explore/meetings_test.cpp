// Arrivals commute (graph/meetings.hpp). That the executions are the right ones is shown by tests/differential.
#include <gtest/gtest.h>

#include "core/error.hpp"
#include "explore/explore.hpp"
#include "machine/script/script_machine.hpp"
#include "script/script_text.hpp"
#include "unit/explore/scripts.hpp"

namespace heddle {
namespace {

struct Way {
  Algorithm algorithm;
  ModelKind model;
};
constexpr Way kWays[] = {{Algorithm::spore, ModelKind::sc},   {Algorithm::spore, ModelKind::tso},
                         {Algorithm::spore, ModelKind::pso},  {Algorithm::spore, ModelKind::ra},
                         {Algorithm::spore, ModelKind::rc11}, {Algorithm::rcmc, ModelKind::rc11},
                         {Algorithm::rcmc, ModelKind::wrc11}, {Algorithm::await, ModelKind::sc}};

Result explore(const std::string& text, const Way& way = {Algorithm::spore, ModelKind::rc11}) {
  ScriptMachine machine(parse_script(text));
  return heddle::explore(machine, {.algorithm = way.algorithm, .model = way.model, .self_check = true});
}

const std::string kMeet = "r1 = arrive b 1; leave b r1";

TEST(Meetings, OfAllThreadsMakeOneExecution) {
  for (const Way& way : kWays) {
    const Result r = explore("{b places 4}" + threads(4, kMeet + "; " + kMeet), way);
    EXPECT_EQ(r.executions, 1u);
    EXPECT_EQ(r.blocked, 0u);
  }
}

// A write before a meeting is seen by all reads after it.
TEST(Meetings, OrderWhatComesBeforeAndAfter) {
  for (const Way& way : kWays) {
    const Result r = explore("{b places 2}|| x = 1 rlx; " + kMeet + "||" + kMeet + "; r0 = x rlx; assert r0 == 1", way);
    EXPECT_EQ(r.executions, 1u);
    EXPECT_EQ(r.verdict, Verdict::verified);
  }
}

// An arrival empties its thread's store buffers, and is ordered with no other one.
TEST(Meetings, ArrivalsDrain) {
  const std::string text =
      "{b places 2}|| x = 1 rlx; r1 = arrive b 1; r0 = y rlx; leave b r1 || y = 1 rlx; r1 = arrive b 1; r0 = x rlx; "
      "leave b r1";
  for (const Way& way : kWays) {
    const bool by_hb = way.model == ModelKind::ra || way.model == ModelKind::rc11 || way.model == ModelKind::wrc11;
    EXPECT_EQ(explore(text, way).executions, by_hb ? 4u : 3u);
  }
}

TEST(Meetings, OfTooFewAreADeadlock) {
  for (const Way& way : kWays) {
    const Result r = explore("{b places 3}" + threads(2, kMeet), way);
    ASSERT_EQ(r.findings.size(), 1u);
    EXPECT_EQ(r.findings[0].error.kind, ErrorKind::deadlock);
  }
}

TEST(Meetings, OfTooManyAreSeen) {
  for (const Way& way : kWays) EXPECT_THROW(explore("{b places 2}" + threads(3, kMeet), way), UserError);
}

TEST(Meetings, OfThreadsThatKnowOfAnEarlierPhaseAreOfTheNextOne) {
  const std::string after = "r0 = x acq until == 2; " + kMeet;
  const std::string before = kMeet + "; add x 1 rel";
  for (const Way& way : kWays) {
    const Result r = explore("{b places 2}" + threads(2, before) + threads(2, after), way);
    EXPECT_EQ(r.findings.size(), 0u);
    EXPECT_GT(r.executions, 0u);
  }
}

TEST(Meetings, AreLeftForGood) {
  for (const Way& way : kWays) {
    const Result r = explore("{b places 2}|| r1 = drop b 1 ||" + kMeet + "; " + kMeet, way);
    EXPECT_EQ(r.executions, 1u);
    EXPECT_EQ(r.verdict, Verdict::verified);
  }
}

TEST(Meetings, AreLookedAtWhenNoThreadMayArrive) {
  for (const Way& way : kWays) {
    EXPECT_EQ(explore("{b places 2}|| " + kMeet + "; r2 = look b; assert r2 == 0 ||" + kMeet, way).executions, 1u);
    EXPECT_THROW(explore("{b places 2}|| r2 = look b ||" + kMeet + "||" + kMeet, way), UserError);
  }
}

}  // namespace
}  // namespace heddle
