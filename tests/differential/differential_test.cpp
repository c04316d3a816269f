// The tools of the differential tests themselves, and the scripts that once told an explorer and the brute force apart.
#include <gtest/gtest.h>

#include "differential/brute_force.hpp"
#include "differential/buffers.hpp"
#include "differential/collect.hpp"
#include "differential/compare.hpp"
#include "differential/generate.hpp"
#include "differential/shrink.hpp"
#include "script/script_c.hpp"
#include "script/script_text.hpp"

namespace heddle::differential {
namespace {

using axioms::Model;

constexpr Model kExplored[] = {Model::sc, Model::tso, Model::pso, Model::ra, Model::rc11};

// Every full execution with how it ends.
using Endings = std::map<std::string, std::pair<Ending, bool>>;

OnFull into(Endings& endings, bool with_co = true) {
  return [&endings, with_co](const Full& f) {
    ASSERT_EQ(axioms::malformed(f.execution), "");
    const std::string form = axioms::canonical(f.execution, with_co);
    EXPECT_TRUE(endings.emplace(form, std::pair(f.ending, with_co && f.deadlock)).second) << "twice: " << form;
  };
}

TEST(BruteForce, EqualsTheNaiveSemantics) {
  GenerateOptions small;
  small.threads = 3;
  small.accesses = 6;
  unsigned compared = 0;
  for (uint64_t seed = 0; seed < 1500; ++seed) {
    const Script script = generate(seed, small);
    for (const Model model : kModels) {
      Endings fast;
      Endings slow;
      if (!naive(script, model, 20000, into(slow, has_co(model)))) continue;
      ASSERT_TRUE(brute_force(script, model, 1'000'000, into(fast, has_co(model))));
      ASSERT_EQ(fast, slow) << name(model) << ", seed " << seed << "\n" << print_script(script);
      ++compared;
    }
  }
  EXPECT_GT(compared, 1500u);
}

TEST(BruteForce, GivesUpAtTheLimit) {
  const Script script = parse_script("x = 1 rlx; x = 2 rlx || x = 3 rlx; x = 4 rlx || r0 = x rlx; r1 = x rlx");
  Endings endings;
  EXPECT_FALSE(brute_force(script, Model::rc11, 10, into(endings)));
}

// Only a store that is not sc is still in the buffer when the next load reads memory.
TEST(Buffers, AreEmptiedAfterScStores) {
  const auto both_zero = [](const char* text, Model model) {
    const Outcomes o = run_buffers(parse_script(text), model, 1'000'000).value();
    EXPECT_EQ(buffers_disagreement(parse_script(text), model, 1'000'000), "") << text;
    return o.error;
  };
  for (const Model model : {Model::tso, Model::pso}) {
    const auto sb = [&](const std::string& order) {
      return both_zero(("main: create 1; create 2; join 1; join 2; r0 = f rlx; if r0 == 1 skip 2; r1 = g rlx; "
                        "assert r1 == 1 || x = 1 " +
                        order + "; r0 = y rlx; f = r0 rlx || y = 1 " + order + "; r0 = x rlx; g = r0 rlx")
                           .c_str(),
                       model);
    };
    EXPECT_FALSE(sb("sc"));
    EXPECT_TRUE(sb("rel"));
    EXPECT_TRUE(sb("rlx"));
  }
}

TEST(Buffers, MachineAndAxiomsAgree) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    const Script script = generate(seed);
    for (const Model model : {Model::tso, Model::pso}) {
      EXPECT_EQ(buffers_disagreement(script, model, 2000).value_or(""), "") << name(model) << "\n"
                                                                            << print_script(script);
    }
  }
}

// The counts that RCMC gives for WRC11: casw (Table 3), CORR2 (§2.3), and ainc, where it equals RC11's.
TEST(BruteForce, Wrc11CountsAreThePapers) {
  const auto count = [](const char* text) {
    return reference(parse_script(text), Model::wrc11, 1'000'000).value().complete.size();
  };
  EXPECT_EQ(count("r0 = cas x 0 1 rlx rlx; x = 4 rel || r0 = cas x 0 2 rlx rlx; x = 5 rel || "
                  "r0 = cas x 0 3 rlx rlx; x = 6 rel"),
            24u);
  EXPECT_EQ(count("r0 = cas x 0 1 rlx rlx; x = 5 rel || r0 = cas x 0 2 rlx rlx; x = 6 rel || "
                  "r0 = cas x 0 3 rlx rlx; x = 7 rel || r0 = cas x 0 4 rlx rlx; x = 8 rel"),
            200u);
  EXPECT_EQ(count("x = 1 rlx || x = 2 rlx || r0 = x rlx; r1 = x rlx || r0 = x rlx; r1 = x rlx"), 49u);
  EXPECT_EQ(count("r0 = add x 1 rlx || r0 = add x 1 rlx || r0 = add x 1 rlx || r0 = add x 1 rlx"), 24u);
}

// ainc(3) of RCMC §7 has 3! executions; two stores of one location by each of two threads have 4!/(2!2!).
TEST(BruteForce, Counts) {
  const auto count = [](const char* text) {
    return reference(parse_script(text), Model::rc11, 1'000'000).value().complete.size();
  };
  EXPECT_EQ(count("r0 = add x 1 rlx || r0 = add x 1 rlx || r0 = add x 1 rlx"), 6u);
  EXPECT_EQ(count("x = 1 rlx; x = 2 rlx || x = 3 rlx; x = 4 rlx"), 6u);
  EXPECT_EQ(count("x = 1 rlx || r0 = x rlx"), 2u);
}

TEST(Endings, OfLocksAndAssumes) {
  const auto r = [](const char* text) { return reference(parse_script(text), Model::sc, 1'000'000).value(); };
  EXPECT_TRUE(r("lock m; lock n; unlock n; unlock m || lock n; lock m; unlock m; unlock n").deadlock);
  EXPECT_FALSE(r("lock m; lock n; unlock n; unlock m || lock m; lock n; unlock n; unlock m").deadlock);
  EXPECT_FALSE(r("lock m; r0 = x rlx; assume r0 == 1; unlock m || lock m; unlock m").deadlock);
  EXPECT_TRUE(r("r0 = x rlx until == 1").deadlock);
  EXPECT_FALSE(r("r0 = x rlx until == 1 || x = 1 rlx").deadlock);
  EXPECT_TRUE(r("r0 = x rlx until == 1 || x = 1 rlx; x = 2 rlx").deadlock);
  EXPECT_FALSE(r("r0 = x rlx assuming == 1").deadlock);
  EXPECT_FALSE(r("r0 = x rlx assuming == 1 || r0 = x rlx until == 1").deadlock);
  EXPECT_TRUE(r("r0 = x rlx; assert r0 == 0 || x = 1 rlx").error);
  EXPECT_TRUE(r("x = 1 na || x = 2 rlx").race);
  EXPECT_FALSE(r("lock m; x = 1 na; unlock m || lock m; x = 2 na; unlock m").race);
}

TEST(Compare, SeesEachKindOfDifference) {
  const Script script = parse_script("x = 1 rlx; r0 = y rlx || y = 1 rlx; r0 = x rlx");
  const Reference right = reference(script, Model::sc, 100000).value();
  EXPECT_EQ(disagreement(script, Model::sc, right), "");
  EXPECT_NE(disagreement(script, Model::rc11, right).find("wrong complete"), std::string::npos);
  const Reference weak = reference(script, Model::rc11, 100000).value();
  EXPECT_NE(disagreement(script, Model::sc, weak).find("missing complete"), std::string::npos);
  Reference wrong = right;
  wrong.error = true;
  EXPECT_NE(disagreement(script, Model::sc, wrong).find("missing failed assertion"), std::string::npos);
  wrong = right;
  wrong.deadlock = true;
  EXPECT_NE(disagreement(script, Model::sc, wrong).find("missing deadlock"), std::string::npos);
}

TEST(Generate, MakesValidScriptsOfEveryKind) {
  std::set<ScriptOp> ops;
  std::set<Mode> modes;
  std::set<std::size_t> threads;
  bool nested = false;
  for (uint64_t seed = 0; seed < 2000; ++seed) {
    const Script script = generate(seed);
    ASSERT_EQ(problem(script), "") << print_script(script);
    ASSERT_EQ(generate(seed), script);
    threads.insert(script.threads.size());
    for (std::size_t t = 0; t < script.threads.size(); ++t) {
      for (const Instruction& i : script.threads[t]) {
        ops.insert(i.op);
        if (i.op == ScriptOp::load || i.op == ScriptOp::store || i.op == ScriptOp::fence) modes.insert(i.mode);
        nested |= t > 0 && i.op == ScriptOp::create;
      }
    }
  }
  EXPECT_EQ(ops.size(), 14u);
  EXPECT_EQ(modes.size(), 6u);
  EXPECT_EQ(threads, (std::set<std::size_t>{2, 3, 4, 5}));
  EXPECT_TRUE(nested);
}

TEST(Generate, PrintsAndReadsBack) {
  for (uint64_t seed = 0; seed < 2000; ++seed) {
    const std::string text = print_script(generate(seed));
    EXPECT_EQ(print_script(parse_script(text)), text);
  }
}

TEST(Generate, OnlyWhatCCanSay) {
  GenerateOptions options;
  options.only_c = true;
  for (uint64_t seed = 0; seed < 2000; ++seed) EXPECT_NE(render_c(generate(seed, options)).text, "");
}

TEST(Shrink, LeavesWhatMatters) {
  const Script big = parse_script(
      "{y=1} main: create 1; create 2; x = 3 sc; join 2; join 1 || r0 = y acq; if r0 == 0 skip 2; x = 1 sc; r1 = cas x "
      "1 2 sc "
      "sc; fence sc || create 3; r0 = x rlx; lock m; r2 = x sc; unlock m; join 3 || y = 2 rel");
  const auto weak = [](const Script& s) {
    for (const auto& code : s.threads) {
      for (const Instruction& i : code) {
        if (i.op == ScriptOp::cas) return true;
      }
    }
    return false;
  };
  EXPECT_EQ(print_script(shrink(big, weak)), "main: create 1\n|| r0 = cas y 0 1 rlx rlx\n");
}

TEST(Shrink, KeepsBranchesWhole) {
  Script s = parse_script("main: if r0 == 0 skip 2; x = 1 rlx; x = 2 rlx; x = 3 rlx");
  erase_instruction(s.threads[0], 1);
  EXPECT_EQ(s.threads[0][0].length, 1);
  erase_instruction(s.threads[0], 2);
  EXPECT_EQ(s.threads[0][0].length, 1);
  insert_instruction(s.threads[0], 1, s.threads[0][1]);
  EXPECT_EQ(s.threads[0][0].length, 2);
  EXPECT_EQ(problem(s), "");
}

// Found by the fuzzer.
const char* const kOnceWrong[] = {
    // A thread that fails before its first action.
    "main: create 1 || assert r0 == 1",
    "main: assert r0 == 1",
    // The race is only with reads of values that do not end the wait.
    "main: create 1; create 2 || x = 0 na; x = 0 rel || r0 = x acq until == 2",
};

TEST(Explorer, IsRightWhereItOnceWasWrong) {
  for (const char* text : kOnceWrong) {
    for (const Model model : kExplored) {
      EXPECT_EQ(disagreement(parse_script(text), model, 1'000'000), "") << name(model) << "\n" << text;
    }
  }
}

// Whatever the explorer shows satisfies the literal axioms.
TEST(Explorer, ShowsOnlyConsistentExecutions) {
  for (uint64_t seed = 0; seed < 300; ++seed) {
    for (const Model model : kExplored) {
      Request request;
      request.model = model;
      request.max_executions = 100;
      request.races_ignore = true;
      collect(generate(1'000'000 + seed), request, [&](const Full& f) {
        ASSERT_EQ(axioms::malformed(f.execution), "");
        ASSERT_EQ(axioms::violated(model, f.execution), "");
      });
    }
  }
}

}  // namespace
}  // namespace heddle::differential
