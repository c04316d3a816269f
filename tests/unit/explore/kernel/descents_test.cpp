// Random descents against explorations.
#include "explore/kernel/descents.hpp"

#include <gtest/gtest.h>

#include "differential/generate.hpp"
#include "explore/explore.hpp"
#include "machine/script/script_machine.hpp"
#include "script/script_text.hpp"
#include "unit/explore/scripts.hpp"

namespace heddle {
namespace {

struct Choice {
  int event;
};

TEST(Descents, EveryChoiceHasAProbability) {
  const std::vector<Choice> items = {{9}, {1}, {1}, {2}, {5}, {5}, {5}};
  Random random(7);
  std::vector<double> shares(items.size());
  std::vector<unsigned> taken(items.size());
  constexpr unsigned kTimes = 100'000;
  for (unsigned i = 0; i < kTimes; ++i) {
    const auto [chosen, probability] = choose(items, 1, random);
    shares.at(chosen) = probability;
    ++taken[chosen];
  }
  double all = 0;
  for (std::size_t i = 1; i < items.size(); ++i) {
    EXPECT_NEAR(taken[i], shares[i] * kTimes, 5 * std::sqrt(shares[i] * kTimes)) << i;
    all += shares[i];
  }
  EXPECT_EQ(taken[0], 0u);  // of an earlier run
  EXPECT_NEAR(all, 1, 1e-9);
  EXPECT_GT(shares[1], shares[3]);  // early choices have more below them
  EXPECT_EQ(shares[1], shares[2]);
  EXPECT_GT(shares[3], shares[4]);
}

Result explored(const Script& script, ModelKind model, bool estimate) {
  ScriptMachine machine(script);
  Request request;
  request.model = model;
  request.keep_going = true;
  request.estimate = estimate;
  request.max_descents = 5'000;  // and no limit of time: the same on every machine
  return explore(machine, request);
}

// Within five standard errors, of which the interval has two on each side, or within 2 %.
void expect_estimated(const Script& script, const std::string& what) {
  for (const ModelKind model : {ModelKind::sc, ModelKind::ra, ModelKind::rc11}) {
    const Result exact = explored(script, model, false);
    const Result guess = explored(script, model, true);
    ASSERT_TRUE(guess.estimate.has_value());
    const Estimate& e = *guess.estimate;
    const auto executions = static_cast<double>(exact.executions);
    const double error = std::log(e.high / std::max(e.executions, 1e-9)) / 2;
    EXPECT_NEAR(e.executions, executions, executions * std::max(5 * error, 0.02)) << name(model) << " " << what;
    EXPECT_NEAR(e.blocked, static_cast<double>(exact.blocked), 0.2 * static_cast<double>(exact.blocked))
        << name(model) << " " << what;
    EXPECT_LE(e.low, e.executions);
  }
}

TEST(Descents, MeanIsTheNumberOfExecutions) {
  for (const std::string& text : {
           std::string("|| x = 1 rlx || r0 = x rlx"),
           std::string("|| r0 = x rlx; r1 = x rlx || r0 = x rlx || x = 1 rlx"),
           std::string("|| x = 1 rlx || x = 2 rlx || r0 = x rlx; r1 = x rlx || r0 = x rlx; r1 = x rlx"),
           std::string("|| x = 1 rlx; r0 = y rlx || y = 1 rlx; r0 = x rlx"),
           std::string("|| r0 = choose 3 || r0 = choose 2"),
           threads(4, "r0 = add x 1 rlx"),
           threads(3, "r0 = add x 1 rlx; r0 = add y 1 rlx"),
           threads(4, "lock m; unlock m"),
           threads(5, "x = 1 rlx; r0 = y rlx"),
       }) {
    expect_estimated(parse_script(text), text);
  }
}

TEST(Descents, MeanIsTheNumberOfExecutionsOfRandomPrograms) {
  for (uint64_t seed = 1; seed <= 12; ++seed)
    expect_estimated(differential::generate(seed), "seed " + std::to_string(seed));
}

TEST(Descents, OnlyOfSpore) {
  ScriptMachine machine(parse_script("|| x = 1 rlx"));
  Request request;
  request.algorithm = Algorithm::rcmc;
  request.estimate = true;
  EXPECT_THROW(explore(machine, request), UserError);
}

}  // namespace
}  // namespace heddle
