// The incremental checkers against the literal axioms: on random graphs, every possible next step must be accepted by
// one exactly when the other calls the result consistent.
#include <gtest/gtest.h>

#include "models/pso.hpp"
#include "models/ra.hpp"
#include "models/rc11.hpp"
#include "models/sc.hpp"
#include "models/tso.hpp"
#include "script/script_text.hpp"
#include "unit/models/random_walk.hpp"

namespace heddle {
namespace {

constexpr uint64_t kWalks = 20000;

template <class Model>
void agree(axioms::Model literal) {
  uint64_t accepted_count = 0;
  uint64_t rejected_count = 0;
  for (uint64_t seed = 1; seed <= kWalks; ++seed) {
    const auto check = [&](const Graph& g, const Script& script, bool accepted) {
      const axioms::Execution x = differential::to_execution(g, script);
      ASSERT_EQ(axioms::malformed(x), "") << "seed " << seed;
      ASSERT_EQ(axioms::violated(literal, x).empty(), accepted)
          << "seed " << seed << ", " << axioms::violated(literal, x) << "\n"
          << axioms::canonical(x);
      ++(accepted ? accepted_count : rejected_count);
    };
    RandomWalk<Model, decltype(check)>(seed, check).run();
    if (testing::Test::HasFatalFailure()) return;
  }
  EXPECT_GT(accepted_count, kWalks);
  EXPECT_GT(rejected_count, kWalks / 10);
}

TEST(Models, ScAcceptsExactlyWhatTheAxiomsAllow) { agree<Sc>(axioms::Model::sc); }
TEST(Models, TsoAcceptsExactlyWhatTheAxiomsAllow) { agree<Tso>(axioms::Model::tso); }
TEST(Models, PsoAcceptsExactlyWhatTheAxiomsAllow) { agree<Pso>(axioms::Model::pso); }
TEST(Models, RaAcceptsExactlyWhatTheAxiomsAllow) { agree<Ra>(axioms::Model::ra); }
TEST(Models, Rc11AcceptsExactlyWhatTheAxiomsAllow) { agree<Rc11>(axioms::Model::rc11); }

}  // namespace
}  // namespace heddle
