// Thread symmetry on the programs of SPORE, with the outcomes that the paper states: each class of
// executions once. Threads with the same code that stand side by side are twins.
#include <gtest/gtest.h>

#include <set>

#include "differential/symmetric.hpp"
#include "explore/explore.hpp"
#include "machine/script/script_machine.hpp"
#include "script/script_text.hpp"

namespace heddle {
namespace {

Result explore(std::string_view text, ModelKind model, bool symmetry) {
  ScriptMachine machine(parse_script(text), symmetry);
  return explore(machine, {.model = model, .spore = {.insist_on_symmetry = true}});
}

struct Case {
  const char* name;
  const char* script;
  uint64_t all;      // executions
  uint64_t classes;  // up to symmetry
};

// Counted by hand: see the paper's examples.
const Case kCases[] = {
    // The readers see 0 0, 0 1, 1 0 or 1 1; 0 1 and 1 0 are symmetric.
    {"W+R+R", "x = 1 rlx || r0 = x rlx || r0 = x rlx", 4, 3},
    // The same for each of two values of y.
    {"W+R+R-REV", "x = 1 rlx; r0 = y rlx || r0 = x rlx || r0 = x rlx || y = 1 rlx", 8, 6},
    // §1: n! executions, one class.
    {"FAIS", "r0 = add x 1 rlx || r0 = add x 1 rlx || r0 = add x 1 rlx || r0 = add x 1 rlx", 24, 1},
    // Different locations, different code: nothing to order, nothing to exchange.
    {"ARRAY", "a = 1 rlx || b = 2 rlx || c = 3 rlx || d = 4 rlx", 1, 1},
    // Writes of twins are ordered like their threads.
    {"W+W+W", "x = 1 rlx || x = 1 rlx || x = 1 rlx", 6, 1},
    // Fences and choices do not tell twins apart; 3 * 3 choices, 6 classes.
    {"choices", "fence sc; r0 = choose 3 || fence sc; r0 = choose 3", 9, 6},
};

TEST(Symmetry, EachClassOnce) {
  for (const Case& c : kCases) {
    for (const ModelKind model : {ModelKind::sc, ModelKind::tso, ModelKind::pso, ModelKind::ra, ModelKind::rc11}) {
      const Result all = explore(c.script, model, false);
      EXPECT_EQ(all.verdict, Verdict::verified) << c.name;
      EXPECT_EQ(all.executions, c.all) << c.name << " " << name(model);
      EXPECT_EQ(explore(c.script, model, true).executions, c.classes) << c.name << " " << name(model);
    }
  }
}

// Against the brute force: the programs that the paper uses to show what can go wrong.
const char* const kTraps[] = {
    // R+RWW+RWW (Example 5): needs the twin's events in the prefix of a revisit.
    "r0 = y rlx || r0 = x rlx; x = 1 rlx; y = 1 rlx || r0 = x rlx; x = 1 rlx; y = 1 rlx",
    // RMW-EXTENS (App. B)
    "z = 1 rlx; z = 2 rlx || r0 = y rlx || "
    "r0 = z rlx; if r0 == 1 skip 3; r1 = cas x 0 1 rlx rlx; if r1 != 0 skip 1; y = 1 rlx || "
    "r0 = z rlx; if r0 == 1 skip 3; r1 = cas x 0 1 rlx rlx; if r1 != 0 skip 1; y = 1 rlx",
    // FAIS+ARRAY: after the rmw each goes its own way.
    "r0 = add x 1 rlx; if r0 != 0 skip 1; a = 1 rlx; if r0 != 1 skip 1; b = 1 rlx || "
    "r0 = add x 1 rlx; if r0 != 0 skip 1; a = 1 rlx; if r0 != 1 skip 1; b = 1 rlx",
    // Not in the paper: with its causal prefix the rmw of the first twin would be kept without its write.
    "main: create 1; create 2; unlock m; r0 = x rlx; join 1; join 2 || lock m; x = 1 rlx || lock m; x = 1 rlx",
    // Nor this: the same for a look and the cas that confirms it.
    "main: create 1; create 2; x = 1 rlx; r0 = x rlx; join 1; join 2 || "
    "r0 = x rlx; r1 = x rlx; r1 = cas x r1 15 rlx rlx assuming || "
    "r0 = x rlx; r1 = x rlx; r1 = cas x r1 15 rlx rlx assuming",
};

TEST(Symmetry, NoClassIsLostOrExploredTwice) {
  for (const char* text : kTraps) {
    for (const ModelKind model : {ModelKind::sc, ModelKind::tso, ModelKind::pso, ModelKind::ra, ModelKind::rc11}) {
      differential::SymmetricTally tally;
      Script script = parse_script(text);
      script.confirms = true;
      EXPECT_EQ(differential::symmetric_disagreement(script, model, 10'000'000, &tally), "")
          << name(model) << ": " << text;
      EXPECT_FALSE(tally.refused) << text;
      EXPECT_LT(tally.classes, tally.executions) << text;
    }
  }
}

// SP-CYC (Example 6): where po ∪ rf ∪ co may have a cycle, symmetry reduction is refused. SC and TSO have none.
TEST(Symmetry, IsRefusedWhereCoherenceFormsACycle) {
  const char* const text = "r0 = y rlx; x = 1 rlx || r0 = x rlx; y = 1 rlx || r0 = x rlx; y = 1 rlx || x = 2 rlx";
  for (const ModelKind model : {ModelKind::ra, ModelKind::rc11}) {
    const Result r = explore(text, model, true);
    ASSERT_EQ(r.findings.size(), 1u) << name(model);
    EXPECT_EQ(r.findings[0].error.kind, ErrorKind::symmetry);
    EXPECT_NE(r.findings[0].error.message.find("form a cycle"), std::string::npos);
  }
  for (const ModelKind model : {ModelKind::sc, ModelKind::tso}) {
    EXPECT_EQ(explore(text, model, true).verdict, Verdict::verified);
  }
}

TEST(Symmetry, JoinsMayNotTellTwinsApart) {
  const auto refused = [](const char* main) {
    const std::string text = std::string("main: ") + main + " || r0 = add x 1 rlx || r0 = add x 1 rlx";
    const Result r = explore(text, ModelKind::rc11, true);
    return !r.findings.empty() && r.findings[0].error.kind == ErrorKind::symmetry;
  };
  EXPECT_FALSE(refused("create 1; create 2; join 1; join 2"));
  EXPECT_FALSE(refused("create 1; create 2; join 2; join 1; r0 = x rlx"));
  EXPECT_FALSE(refused("create 1; create 2; r0 = x rlx"));
  EXPECT_TRUE(refused("create 1; create 2; join 1; r0 = x rlx; join 2"));
  EXPECT_TRUE(refused("create 1; create 2; join 2; r0 = x rlx"));
  // Not created directly after each other: no twins.
  EXPECT_FALSE(refused("create 1; r0 = x rlx; create 2; join 1; r0 = x rlx; join 2"));
}

TEST(Symmetry, ErrorsAreFound) {
  // Only the second of the rmws reads 1.
  const char* const text = "r0 = add x 1 rlx; assert r0 != 1 || r0 = add x 1 rlx; assert r0 != 1";
  EXPECT_EQ(explore(text, ModelKind::rc11, true).verdict, Verdict::error);
}

}  // namespace
}  // namespace heddle
