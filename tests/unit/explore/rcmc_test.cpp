// The examples of papers/rcmc-popl18.md, and the verdicts of the exploration. That the executions are the right ones is
// shown by tests/differential.
#include "explore/rcmc.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "explore/spore.hpp"
#include "machine/script/script_machine.hpp"
#include "machine/script/script_text.hpp"

namespace heddle {
namespace {

Result explore(std::string_view text, ModelKind model = ModelKind::rc11, ExploreOptions options = {}) {
  ScriptMachine machine(parse_script(text));
  return explore_rcmc(machine, model, options);
}

Result count(std::string_view text, ModelKind model) {
  ExploreOptions options;
  options.count_duplicates = true;
  return explore(text, model, options);
}

std::string threads(unsigned n, const std::string& body) {
  std::string text;
  for (unsigned i = 0; i < n; ++i) text += "|| " + body + "\n";
  return text;
}

struct Count {
  std::string script;
  uint64_t rc11, wrc11;
};

TEST(Rcmc, ExploresEachExecutionOnceWithoutRmws) {
  const Count counts[] = {
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
  for (const Count& c : counts) {
    for (const auto& [model, wanted] : {std::pair(ModelKind::rc11, c.rc11), std::pair(ModelKind::wrc11, c.wrc11)}) {
      const Result r = count(c.script, model);
      EXPECT_EQ(r.executions, wanted) << name(model) << "\n" << c.script;
      EXPECT_EQ(r.duplicates, 0u) << name(model) << "\n" << c.script;
    }
  }
}

TEST(Rcmc, Rmws) {
  const Count counts[] = {
      {threads(2, "r0 = add x 1 rlx"), 2, 2},  // §2.4: FAIS
      {threads(4, "r0 = add x 1 rlx"), 24, 24},
      {threads(3, "r0 = add x 1 rlx; r0 = add y 1 rlx"), 36, 36},
      // LB+FAIS: x and y as in LB (3), times the two orders of z, less those in which an rf of z closes a cycle.
      {"|| r0 = x rlx; r1 = add z 1 rlx; y = 1 rlx || r0 = y rlx; r1 = add z 1 rlx; x = 1 rlx", 4, 4},
      {threads(4, "lock m; unlock m"), 24, 24},
      // §5: after 0 and 1 only 2 is left.
      {"|| r0 = add x 1 rlx || r0 = add x 1 rlx; r1 = x rlx", 3, 3},
  };
  for (const Count& c : counts) {
    EXPECT_EQ(count(c.script, ModelKind::rc11).executions, c.rc11) << c.script;
    EXPECT_EQ(count(c.script, ModelKind::wrc11).executions, c.wrc11) << c.script;
  }
}

}  // namespace
}  // namespace heddle
