#include "report/relations.hpp"

#include <gtest/gtest.h>

#include "unit/report/samples.hpp"

namespace heddle {
namespace {

using Pairs = std::vector<std::pair<std::size_t, std::size_t>>;

Pairs pairs(const std::vector<Edge>& edges) {
  Pairs out;
  for (const Edge& e : edges) out.emplace_back(e.from, e.to);
  std::ranges::sort(out);
  return out;
}

// T1 writes x and raises a flag; T2 sees the flag, then writes x; main has read x before all.
Trace handed_over() {
  using namespace samples;
  Trace trace;
  trace.threads = three_threads();
  trace.steps = {
      read(kMain, "x", 0x10, 0, Mode::rlx, kNoSite),
      thread_step(kMain, ActionKind::create, ThreadId(1), kNoSite),
      thread_step(kMain, ActionKind::create, ThreadId(2), kNoSite),
      write(ThreadId(1), "x", 0x10, 1, Mode::rlx, kNoSite),
      write(ThreadId(1), "flag", 0x20, 1, Mode::rel, kNoSite),
      read(ThreadId(2), "flag", 0x20, 1, Mode::acq, kNoSite, 4),
      write(ThreadId(2), "x", 0x10, 2, Mode::rlx, kNoSite),
  };
  const std::vector<std::vector<uint32_t>> clocks = {{1, 0, 0}, {2, 0, 0}, {3, 0, 0}, {2, 1, 0},
                                                     {2, 2, 0}, {3, 2, 1}, {3, 2, 2}};
  for (std::size_t i = 0; i < trace.steps.size(); ++i) {
    trace.steps[i].hb = clocks[i];
    trace.steps[i].position = clocks[i][index(trace.steps[i].thread)];
  }
  trace.steps[3].co = 1;
  trace.steps[4].co = 1;
  trace.steps[6].co = 2;
  return trace;
}

TEST(Relations, AreThoseOfTheExecution) {
  const Relations r = relations_of(handed_over(), true);
  EXPECT_EQ(pairs(r.po), (Pairs{{0, 1}, {1, 2}, {3, 4}, {5, 6}}));
  EXPECT_EQ(pairs(r.rf), (Pairs{{4, 5}}));
  EXPECT_EQ(pairs(r.co), (Pairs{{3, 6}}));
  EXPECT_EQ(pairs(r.fr), (Pairs{{0, 3}}));
}

TEST(Relations, OfHappensBeforeOnlyWhatDoesNotFollow) {
  EXPECT_EQ(pairs(relations_of(handed_over(), true).hb), (Pairs{{1, 3}, {2, 5}, {4, 5}}));
}

TEST(Relations, CoherenceIsNotTheOrderOfTheSteps) {
  Trace trace = handed_over();
  trace.steps[3].co = 2;
  trace.steps[6].co = 1;
  const Relations r = relations_of(trace, true);
  EXPECT_EQ(pairs(r.co), (Pairs{{6, 3}}));
  EXPECT_EQ(pairs(r.fr), (Pairs{{0, 6}}));
}

TEST(Relations, AModelWithoutCoherenceHasNone) {
  EXPECT_FALSE(has_coherence("wrc11"));
  EXPECT_TRUE(has_coherence("rc11"));
  const Relations r = relations_of(handed_over(), false);
  EXPECT_TRUE(r.co.empty());
  EXPECT_TRUE(r.fr.empty());
  EXPECT_FALSE(r.rf.empty());
}

TEST(Relations, AnRmwIsNotBeforeItself) {
  Trace trace = handed_over();
  trace.steps[6].action.kind = ActionKind::rmw;
  trace.steps[6].read = Value{1, 0};
  trace.steps[6].rf = 3;
  EXPECT_EQ(pairs(relations_of(trace, true).fr), (Pairs{{0, 3}}));
}

}  // namespace
}  // namespace heddle
