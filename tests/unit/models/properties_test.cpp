// What the exploration algorithms require of a model (SPORE E.2), on random executions by the literal
// axioms: po ∪ rf acyclic, prefix-closed, extensible. And how the models compare.
#include <gtest/gtest.h>

#include <random>

#include "differential/brute_force.hpp"
#include "differential/generate.hpp"
#include "differential/symmetric.hpp"
#include "script/script_text.hpp"

namespace heddle {
namespace {

using axioms::Execution;
using differential::Candidate;
using differential::Full;
using differential::restricted;

class Properties : public testing::TestWithParam<ModelKind> {};

axioms::Relation porf(const Execution& x) {
  const axioms::Relations r(x);
  return plus(r.sb | r.asw | r.rf);
}

// A set of events with all that is porf-before them.
std::vector<bool> random_prefix(const Execution& x, std::mt19937_64& random) {
  const axioms::Relation before = porf(x);
  std::vector<bool> keep(x.events.size());
  for (std::size_t e = 0; e < keep.size(); ++e) keep[e] = x.events[e].type == axioms::Type::init;
  for (std::size_t n = 1 + random() % 3; n-- > 0;) {
    const std::size_t top = random() % keep.size();
    keep[top] = true;
    for (std::size_t e = 0; e < keep.size(); ++e) {
      if (before(e, top)) keep[e] = true;
    }
  }
  return keep;
}

// Grows a random consistent execution, and shows each stage of it to `look`, with the thread that is to grow next.
template <class Look>
void random_walk(uint64_t seed, ModelKind model, Look look) {
  std::mt19937_64 random(seed);
  const Script script = differential::generate(seed);
  Candidate c(script, model);
  for (;;) {
    std::vector<std::size_t> ready;
    for (std::size_t t = 0; t < c.thread_count(); ++t) {
      if (c.next(t)) ready.push_back(t);
    }
    if (ready.empty()) return;
    const std::size_t t = ready[random() % ready.size()];
    if (!look(c, t, random)) return;
    const Action a = *c.next(t);
    std::vector<Candidate> options;
    if (!is_access(a.kind)) {
      c.other(t, {a.kind == ActionKind::choose ? random() % a.bound : 0, 0});
      continue;
    }
    for (std::size_t at = 0; at < c.order(a.addr).size(); ++at) {
      Candidate d = c;
      if (a.kind == ActionKind::store) {
        d.store(t, at + 1);
      } else {
        d.read(t, c.order(a.addr)[at], at + 1);
      }
      if (axioms::consistent(model, d.execution)) options.push_back(std::move(d));
    }
    ASSERT_FALSE(options.empty()) << name(model) << ", seed " << seed << ": no way on";
    c = options[random() % options.size()];
  }
}

TEST_P(Properties, PrefixClosed) {
  for (uint64_t seed = 1; seed <= 3000; ++seed) {
    random_walk(seed, GetParam(), [&](const Candidate& c, std::size_t, std::mt19937_64& random) {
      const Execution part = restricted(c.execution, random_prefix(c.execution, random));
      EXPECT_TRUE(axioms::consistent(GetParam(), part)) << axioms::canonical(c.execution);
      return !testing::Test::HasFailure();
    });
  }
}

// The co-maximal way on is always consistent; without co there is some way on, which random_walk asserts.
TEST_P(Properties, Extensible) {
  for (uint64_t seed = 1; seed <= 3000; ++seed) {
    random_walk(seed, GetParam(), [&](const Candidate& c, std::size_t t, std::mt19937_64&) {
      const Action a = *c.next(t);
      if (!is_access(a.kind) || !has_co(GetParam())) return true;
      Candidate d = c;
      const std::vector<int>& co = c.order(a.addr);
      if (a.kind == ActionKind::store) {
        d.store(t, co.size());
      } else {
        d.read(t, co.back(), co.size());
      }
      EXPECT_TRUE(axioms::consistent(GetParam(), d.execution)) << axioms::canonical(d.execution);
      return !testing::Test::HasFailure();
    });
  }
}

// naive chooses rf freely, so a cycle of po ∪ rf would show.
TEST_P(Properties, PorfIsAcyclic) {
  differential::GenerateOptions small;
  small.threads = 3;
  small.accesses = 6;
  uint64_t seen = 0;
  for (uint64_t seed = 0; seed < 600; ++seed) {
    differential::naive(differential::generate(seed, small), GetParam(), 5000, [&](const Full& f) {
      ++seen;
      EXPECT_TRUE(irreflexive(porf(f.execution))) << axioms::canonical(f.execution);
    });
  }
  EXPECT_GT(seen, 1000u);
}

// Load buffering, the cycle itself.
TEST_P(Properties, NoLoadBuffering) {
  const Script script = parse_script("r0 = x rlx; y = 1 rlx || r0 = y rlx; x = 1 rlx");
  ASSERT_TRUE(differential::naive(script, GetParam(), 100000, [&](const Full& f) {
    EXPECT_FALSE(f.threads[1].reg[0] == 1 && f.threads[2].reg[0] == 1);
  }));
}

INSTANTIATE_TEST_SUITE_P(All, Properties, testing::ValuesIn(kModels),
                         [](const auto& info) { return std::string(name(info.param)); });

// Every execution that the stronger model allows, the weaker one allows too.
void expect_weaker(ModelKind stronger, ModelKind weaker, bool (*counts)(const Script&)) {
  uint64_t seen = 0;
  uint64_t more = 0;  // scripts that tell the two apart
  for (uint64_t seed = 0; seed < 1500; ++seed) {
    const Script script = differential::generate(seed);
    if (!counts(script)) continue;
    uint64_t strong = 0;
    uint64_t weak = 0;
    const auto check = [&](const Full& f) {
      ++strong;
      EXPECT_TRUE(axioms::consistent(weaker, f.execution))
          << name(stronger) << " but not " << name(weaker) << ": " << axioms::canonical(f.execution);
    };
    if (!differential::brute_force(script, stronger, 1000, check)) continue;
    if (!differential::brute_force(script, weaker, 1000, [&](const Full&) { ++weak; })) continue;
    seen += strong;
    more += weak > strong;
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_GT(seen, 1000u);
  EXPECT_GT(more, 10u) << name(stronger) << " and " << name(weaker) << " are told apart too rarely";
}

bool any(const Script&) { return true; }

bool without_sc_accesses(const Script& s) {
  for (const auto& code : s.threads) {
    for (const Instruction& i : code) {
      const bool access =
          i.op == ScriptOp::load || i.op == ScriptOp::store || i.op == ScriptOp::rmw || i.op == ScriptOp::cas;
      if (access && (is_sc(i.mode) || (i.op == ScriptOp::cas && is_sc(i.fail_mode)))) return false;
    }
  }
  return true;
}

TEST(Models, ScIsStrongerThanTso) { expect_weaker(ModelKind::sc, ModelKind::tso, any); }
TEST(Models, TsoIsStrongerThanPso) { expect_weaker(ModelKind::tso, ModelKind::pso, any); }
TEST(Models, TsoIsStrongerThanRa) { expect_weaker(ModelKind::tso, ModelKind::ra, any); }
TEST(Models, RaIsStrongerThanRc11WithoutScAccesses) {
  expect_weaker(ModelKind::ra, ModelKind::rc11, without_sc_accesses);
}

TEST(Models, Rc11IsStrongerThanWrc11) {
  for (uint64_t seed = 0; seed < 1500; ++seed) {
    differential::brute_force(differential::generate(seed), ModelKind::rc11, 1000, [&](const Full& f) {
      EXPECT_TRUE(axioms::consistent(ModelKind::wrc11, f.execution)) << axioms::canonical(f.execution);
    });
  }
}

// What lets plain accesses of a race-free execution run on real memory: whatever the model, hb by the modes in the
// source is respected.
TEST(Models, AllRespectHappensBefore) {
  for (const ModelKind model : kModels) {
    for (uint64_t seed = 0; seed < 1000; ++seed) {
      differential::brute_force(differential::generate(seed), model, 1000, [&](const Full& f) {
        if (!has_co(model)) return;
        const axioms::Relations x(f.execution);
        EXPECT_TRUE(irreflexive(seq(axioms::hb(x), eco(x)))) << name(model) << ": " << axioms::canonical(f.execution);
      });
    }
  }
}

}  // namespace
}  // namespace heddle
