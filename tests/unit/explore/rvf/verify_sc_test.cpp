// VerifySC against all interleavings, on random instances, with each set of techniques.
#include "explore/rvf/verify_sc.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

namespace heddle {
namespace {

struct RandomInstance {
  VscInstance x;
  std::vector<VscId> auxiliary;
};

// What happens to an interleaving that goes on with e; false if e reads from no good write.
bool take_event(const VscInstance& x, VscId e, std::vector<VscId>& active) {
  if (x[e].reads && !std::ranges::binary_search(x.good(e), active[x[e].var])) return false;
  if (x[e].writes) active[x[e].var] = e;
  return true;
}

bool is_ready(const VscInstance& x, VscId e, const std::vector<uint32_t>& positions) {
  for (uint32_t t = 0; t < positions.size(); ++t) {
    if (t != x[e].thread && x.before(e)[t] > positions[t]) return false;
  }
  return true;
}

// By trying all.
bool has_witness(const VscInstance& x, std::vector<uint32_t>& positions, const std::vector<VscId>& active) {
  bool at_end = true;
  for (uint32_t t = 0; t < x.threads(); ++t) {
    if (positions[t] == x.thread(t).size()) continue;
    at_end = false;
    const VscId e = x.thread(t)[positions[t]];
    std::vector<VscId> next = active;
    if (!is_ready(x, e, positions) || !take_event(x, e, next)) continue;
    ++positions[t];
    const bool found = has_witness(x, positions, next);
    --positions[t];
    if (found) return true;
  }
  return at_end;
}

// Empty if it is a witness.
std::string mistake_in(const VscInstance& x, const std::vector<VscId>& witness) {
  if (witness.size() != x.size()) return "events are missing";
  std::vector<uint32_t> positions(x.threads());
  std::vector<VscId> active(x.vars(), kInitialWrite);
  for (const VscId e : witness) {
    if (positions[x[e].thread] + 1 != x[e].index || !is_ready(x, e, positions)) return "against program order";
    if (!take_event(x, e, active)) return "a bad source";
    ++positions[x[e].thread];
  }
  return {};
}

// Good writes are mostly those that some interleaving has, so that about half of the instances have a witness.
RandomInstance make_instance(std::mt19937& random) {
  const auto below = [&](unsigned n) { return static_cast<uint32_t>(random() % n); };
  RandomInstance out;
  const uint32_t threads = 2 + below(3);
  const uint32_t vars = 1 + below(3);
  const uint32_t events = 4 + below(7);
  struct Draft {
    VscEvent event;
    VscId source;
  };
  std::vector<Draft> drafts;
  std::vector<VscId> active(vars, kInitialWrite);
  for (uint32_t i = 0; i < events; ++i) {
    VscEvent e{.thread = below(threads)};
    const uint32_t kind = below(10);
    if (kind != 0) e.var = below(vars);
    e.reads = kind >= 5 || kind == 4;
    e.writes = kind >= 1 && kind <= 4;
    if (i > 0 && below(12) == 0) e.after = below(i);
    drafts.push_back({e, e.reads ? active[e.var] : kNoVscEvent});
    if (e.writes) active[e.var] = i;
  }
  if (below(3) == 0) {
    const uint32_t var = below(vars);
    drafts.push_back({{.thread = threads, .var = var, .reads = true, .final = true}, active[var]});
  }
  for (const auto& [event, source] : drafts) {
    std::vector<VscId> good;
    if (event.reads) {
      for (VscId w = 0; w < drafts.size(); ++w) {
        const bool conflicts = drafts[w].event.writes && drafts[w].event.var == event.var && w != out.x.size();
        if (conflicts && (w == source ? below(8) != 0 : below(3) == 0)) good.push_back(w);
      }
      if (source == kInitialWrite ? below(8) != 0 : below(6) == 0) good.push_back(kInitialWrite);
    }
    out.auxiliary.push_back(out.x.add(event, good));
  }
  return out;
}

bool has_witness(const VscInstance& x) {
  std::vector<uint32_t> positions(x.threads());
  return has_witness(x, positions, std::vector<VscId>(x.vars(), kInitialWrite));
}

// Of any set of techniques.
std::string mistake_of(VerifySc& verify, const VscInstance& x, const std::vector<VscId>& auxiliary, bool wanted) {
  for (unsigned techniques = 0; techniques < 8; ++techniques) {
    const VscOptions options{(techniques & 1) != 0, (techniques & 2) != 0, (techniques & 4) != 0};
    std::vector<VscId> witness;
    verify.cut(0);
    std::string mistake;
    if (verify(x, auxiliary, options, witness) != wanted)
      mistake = "wrong answer";
    else if (wanted)
      mistake = mistake_in(x, witness);
    if (!mistake.empty()) return "techniques " + std::to_string(techniques) + ": " + mistake;
  }
  return "";
}

TEST(VerifySc, FindsAWitnessIffThereIsOne) {
  std::mt19937 random(1);
  VerifySc verify;
  unsigned found = 0;
  unsigned impossible = 0;
  for (unsigned i = 0; i < 20'000; ++i) {
    const auto [x, auxiliary] = make_instance(random);
    const bool wanted = has_witness(x);
    ++(wanted ? found : impossible);
    ASSERT_EQ(mistake_of(verify, x, auxiliary, wanted), "") << "instance " << i;
  }
  EXPECT_GT(found, 2000u);
  EXPECT_GT(impossible, 2000u);
}

// As the exploration asks: a witness is there for all events but the last.
TEST(VerifySc, FindsAWitnessForOneMoreEvent) {
  std::mt19937 random(2);
  VerifySc verify;
  unsigned found = 0;
  unsigned impossible = 0;
  for (unsigned i = 0; i < 40'000; ++i) {
    auto [x, order] = make_instance(random);
    const auto last = static_cast<VscId>(x.size() - 1);
    bool is_source = false;
    for (VscId e = 0; e < last; ++e) is_source |= std::ranges::binary_search(x.good(e), last);
    if (is_source || x[last].final) continue;
    VscInstance without = x;
    without.cut(last);
    std::vector<VscId> before;
    verify.cut(0);
    if (!verify(without, {}, {}, before)) continue;
    const bool wanted = has_witness(x);
    ++(wanted ? found : impossible);
    ASSERT_EQ(mistake_of(verify, x, before, wanted), "") << "instance " << i;
  }
  EXPECT_GT(found, 2000u);
  EXPECT_GT(impossible, 1000u);
}

// Two reads that want different last writes of two variables, in opposite orders: the closure has a cycle.
TEST(VerifySc, ClosureSeesACycle) {
  VscInstance x;
  const auto write = [&](uint32_t t, uint32_t var) { return x.add({.thread = t, .var = var, .writes = true}, {}); };
  const VscId x1 = write(0, 0);
  const VscId y1 = write(1, 1);
  const auto read = [&](uint32_t t, uint32_t var, VscId w) {
    x.add({.thread = t, .var = var, .reads = true}, std::vector<VscId>{w});
  };
  read(2, 0, x1);
  read(2, 1, kInitialWrite);
  EXPECT_TRUE(VscClosure()(x));
  read(3, 1, y1);
  read(3, 0, kInitialWrite);
  EXPECT_FALSE(VscClosure()(x));
}

TEST(VerifySc, AnRmwIsOneStep) {
  VscInstance x;
  const std::vector<VscId> initial{kInitialWrite};
  x.add({.thread = 0, .var = 0, .reads = true, .writes = true}, initial);
  std::vector<VscId> witness;
  EXPECT_TRUE(VerifySc()(x, {}, {}, witness));
  x.add({.thread = 1, .var = 0, .reads = true, .writes = true}, initial);
  EXPECT_FALSE(VerifySc()(x, {}, {}, witness));
}

}  // namespace
}  // namespace heddle
