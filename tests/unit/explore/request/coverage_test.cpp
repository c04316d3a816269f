// What the theory covers: a pair that it does not cover is refused with a remedy.
#include "explore/request/coverage.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "explore/explore.hpp"
#include "machine/script/script_machine.hpp"
#include "script/script_text.hpp"

namespace heddle {
namespace {

TEST(Coverage, WhatIsRefusedHasARemedyAndTheRestIsExplored) {
  unsigned explored = 0;
  unsigned refused = 0;
  for (const Algorithm a : kAlgorithms) {
    for (const ModelKind m : kModels) {
      ScriptMachine machine(parse_script("|| x = 1 rlx || r0 = x rlx"));
      const std::string why = why_not(a, m);
      if (why.empty()) {
        EXPECT_EQ(explore(machine, {.algorithm = a, .model = m}).executions, 2) << name(a) << " " << name(m);
        ++explored;
      } else {
        EXPECT_NE(why.find("--algorithm"), std::string::npos) << why;
        EXPECT_THROW(explore(machine, {.algorithm = a, .model = m}), UserError);
        ++refused;
      }
    }
  }
  EXPECT_EQ(explored, 9u);  // spore: five models, rcmc: two, await and rvf: sc
  EXPECT_EQ(refused, 15u);
}

TEST(Coverage, NamesGoBothWays) {
  for (const Algorithm a : kAlgorithms) EXPECT_EQ(algorithm_named(name(a)), a);
  EXPECT_EQ(algorithm_named("dpor"), std::nullopt);
}

TEST(Request, TheTimeLimitIsForAllLooks) {
  const Request request{.time_limit = 10};
  EXPECT_NEAR(again(request, SteadyClock::now() - std::chrono::seconds(4)).time_limit, 6, 1);
  EXPECT_GT(again(request, SteadyClock::now() - std::chrono::seconds(40)).time_limit, 0);
  EXPECT_EQ(again({}, SteadyClock::now() - std::chrono::seconds(40)).time_limit, 0) << "there is none";
}

}  // namespace
}  // namespace heddle
