// The way in: what is covered, work items, and the check by the literal axioms.
#include "explore/explore.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "explore/judge/literal.hpp"
#include "machine/script/script_machine.hpp"
#include "script/script_text.hpp"

namespace heddle {
namespace {

constexpr const char* kProgram = "|| x = 1 rlx; r0 = y rlx || y = 1 rlx; r0 = x rlx || r0 = add x 1 rlx; y = r0 rlx";

TEST(Coverage, EachPairIsExploredOrRefusedWithAReason) {
  std::size_t covered = 0;
  for (const Algorithm a : kAlgorithms) {
    for (const ModelKind m : kModels) {
      ScriptMachine machine(parse_script(kProgram));
      const std::string why = why_not(a, m);
      covered += why.empty();
      if (why.empty()) {
        EXPECT_GT(explore(machine, {.algorithm = a, .model = m}).executions, 0u) << name(a) << " " << name(m);
        continue;
      }
      EXPECT_NE(why.find("--algorithm"), std::string::npos) << "says what to do: " << why;
      EXPECT_THROW(explore(machine, {.algorithm = a, .model = m}), UserError);
    }
  }
  EXPECT_EQ(covered, 9u);
}

TEST(Coverage, FeaturesBelongToAnAlgorithm) {
  EXPECT_EQ(why_not(Algorithm::spore, ModelKind::rc11, Feature::symmetry), "");
  EXPECT_EQ(why_not(Algorithm::spore, ModelKind::rc11, Feature::helping), "");
  EXPECT_NE(why_not(Algorithm::spore, ModelKind::pso, Feature::helping), "");
  EXPECT_NE(why_not(Algorithm::spore, ModelKind::rc11, Feature::psc), "");
  EXPECT_EQ(why_not(Algorithm::rcmc, ModelKind::wrc11, Feature::psc), "");
  EXPECT_EQ(why_not(Algorithm::rcmc, ModelKind::rc11, Feature::count_duplicates), "");
  EXPECT_NE(why_not(Algorithm::rcmc, ModelKind::rc11, Feature::symmetry), "");
  EXPECT_EQ(why_not(Algorithm::await, ModelKind::sc, Feature::commute), "");
  EXPECT_EQ(why_not(Algorithm::spore, ModelKind::sc, Feature::commute), "");
  EXPECT_NE(why_not(Algorithm::rvf, ModelKind::sc, Feature::commute), "");
  EXPECT_EQ(why_not(Algorithm::rvf, ModelKind::sc, Feature::closure), "");
  EXPECT_NE(why_not(Algorithm::await, ModelKind::sc, Feature::closure), "");
  EXPECT_EQ(why_not(Algorithm::spore, ModelKind::sc, Feature::estimate), "");
  EXPECT_NE(why_not(Algorithm::rcmc, ModelKind::rc11, Feature::estimate), "");
}

// One item at a time.
class TakeAll : public Sharing {
 public:
  std::vector<std::string> items;
  bool wants_all() override { return true; }
  std::vector<bool> look(const Result&, std::vector<std::string> rest) override {
    if (rest.empty()) return {};
    items.push_back(std::move(rest.front()));
    return {true};
  }
};

constexpr std::array kInParts = {Algorithm::spore, Algorithm::rcmc};

Result explore_one_part(Machine& machine, const Request& request) {
  machine.assume({.spins = false});
  Result result = run_algorithm(machine, request);
  EXPECT_TRUE(result.broken.empty());
  return result;
}

struct Parts {
  TakeAll sharing;
  Request request;
  Result first;
};

Parts in_parts(Algorithm a) {
  Parts p;
  p.request.algorithm = a;
  ScriptMachine machine(parse_script(kProgram));
  p.request.sharing = &p.sharing;
  p.first = explore_one_part(machine, p.request);
  p.request.sharing = nullptr;
  return p;
}

TEST(WorkItems, PartsAddUp) {
  for (const Algorithm a : kInParts) {
    ScriptMachine machine(parse_script(kProgram));
    const Result whole = explore(machine, {.algorithm = a});
    Parts p = in_parts(a);
    EXPECT_GT(p.sharing.items.size(), 2u);
    EXPECT_LT(p.first.executions, whole.executions);
    uint64_t sum = p.first.executions;
    for (const std::string& item : p.sharing.items) {
      p.request.work = item;
      ScriptMachine other(parse_script(kProgram));
      sum += explore_one_part(other, p.request).executions;
    }
    EXPECT_EQ(sum, whole.executions) << name(a);
  }
}

TEST(WorkItems, DamageIsRefused) {
  for (const Algorithm a : kInParts) {
    Parts p = in_parts(a);
    ASSERT_FALSE(p.sharing.items.empty());
    const std::string& item = p.sharing.items.front();
    const auto refused = [&](const std::string& bytes) {
      p.request.work = bytes;
      ScriptMachine machine(parse_script(kProgram));
      try {
        explore_one_part(machine, p.request);
      } catch (const UserError& e) {
        return std::string(e.what()).starts_with("this work item cannot be read: ");
      }
      return false;
    };
    EXPECT_FALSE(refused(item));
    EXPECT_TRUE(refused("nonsense"));
    for (std::size_t n = 1; n < item.size(); ++n) EXPECT_TRUE(refused(item.substr(0, n))) << n;
    for (std::size_t n = 0; n < item.size(); ++n) {
      std::string damaged = item;
      damaged[n] ^= 0x10;
      EXPECT_TRUE(refused(damaged)) << n;
    }
    p.request.model = a == Algorithm::rcmc ? ModelKind::wrc11 : ModelKind::sc;
    EXPECT_TRUE(refused(item)) << "of another model";
  }
}

TEST(WorkItems, AreForTheSameRulesOnly) {
  Parts p = in_parts(Algorithm::spore);
  p.request.work = p.sharing.items.front();
  ScriptMachine symmetric(parse_script(kProgram), true);
  EXPECT_THROW(explore_one_part(symmetric, p.request), UserError);
  ScriptMachine other(parse_script("|| x = 1 rlx || r0 = x rlx"));
  EXPECT_THROW(explore_one_part(other, p.request), UserError);
}

TEST(SelfCheck, AcceptsEveryExecution) {
  for (const Algorithm a : kAlgorithms) {
    for (const ModelKind m : kModels) {
      if (!why_not(a, m).empty()) continue;
      ScriptMachine machine(parse_script(kProgram));
      const Result r = explore(machine, {.algorithm = a, .model = m, .self_check = true});
      EXPECT_EQ(r.verdict, Verdict::verified);
      EXPECT_TRUE(r.notes.empty());
    }
  }
}

// A load that goes back in co.
TEST(SelfCheck, RefusesWhatTheModelDoesNotAllow) {
  Locations locations;
  Graph g(locations);
  g.set_base(g.location(8), {});
  Action store;
  store.kind = ActionKind::store;
  store.addr = 8;
  store.size = 8;
  store.mode = Mode::rlx;
  store.operand = {1, 0};
  const EventId w = g.add_store(kMain, store);
  g.place(w, kInit);
  std::vector<std::string> notes;
  EXPECT_NO_THROW(check_literally(g, ModelKind::rc11, true, notes));
  Action load = store;
  load.kind = ActionKind::load;
  g.add_read(kMain, load, kInit);
  for (const ModelKind m : kModels) EXPECT_THROW(check_literally(g, m, true, notes), std::logic_error) << name(m);
}

TEST(Findings, NameTheirPlacesByTheEvents) {
  ScriptMachine machine(parse_script("|| x = 1 na || r0 = x na"));
  const Result r = explore(machine, {});
  ASSERT_EQ(r.findings.size(), 1u);
  const Error& e = r.findings[0].error;
  EXPECT_EQ(e.kind, ErrorKind::race);
  EXPECT_EQ(e.message, "data race on x");
  EXPECT_NE(e.site, kNoSite);
  EXPECT_NE(e.other_site, kNoSite);
  EXPECT_NE(e.site, e.other_site);
}

TEST(Findings, StepsKnowWhatSynchronises) {
  const auto steps_of = [](const char* text) {
    ScriptMachine machine(parse_script(text));
    const Result r = explore(machine, {});
    return r.findings.empty() ? std::vector<TraceStep>() : r.findings[0].trace.steps;
  };
  const auto link = [](const std::vector<TraceStep>& steps) {
    for (const TraceStep& s : steps) {
      if (s.rf >= 0) return std::pair(steps[static_cast<std::size_t>(s.rf)], s);
    }
    return std::pair<TraceStep, TraceStep>();
  };
  const auto [weak_write, weak_read] = link(steps_of("|| x = 1 rlx || r0 = x acq; assert r0 == 0"));
  EXPECT_FALSE(weak_write.released);
  EXPECT_TRUE(weak_read.acquired);
  EXPECT_FALSE(happens_before(weak_write, weak_read));
  const auto [write, read] = link(steps_of("|| fence rel; x = 1 rlx || r0 = x rlx; fence acq; assert r0 == 0"));
  EXPECT_TRUE(write.released);
  EXPECT_TRUE(read.acquired);
  const auto [rel, acq] = link(steps_of("|| x = 1 rel || r0 = x acq; assert r0 == 0"));
  EXPECT_TRUE(happens_before(rel, acq));
  EXPECT_FALSE(happens_before(acq, rel));
}

}  // namespace
}  // namespace heddle
