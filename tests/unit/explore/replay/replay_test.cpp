// A graph is performed in an order that respects po and rf, and the machine comes to where the graph says.
#include "explore/replay/replay.hpp"

#include <gtest/gtest.h>

#include <set>

#include "explore/explore.hpp"
#include "machine/script/script_machine.hpp"
#include "script/script_text.hpp"

namespace heddle {
namespace {

// rmws, a create in a thread, joins, a failed cas, and reads that only a weak memory has.
constexpr const char* kScript =
    "|| x = 1 rlx; r0 = y rlx; r1 = add x 2 acq_rel || y = 1 rlx; r0 = x rlx; r1 = cas x 1 7 sc rlx || r0 = add y 1 "
    "rlx; "
    "r1 = x acq";

void expect_porf_order(const Graph& g, std::span<const Run> runs) {
  std::set<EventId> done;
  std::size_t events = 0;
  for (const Run& run : runs) {
    EXPECT_LT(run.from, run.to);
    for (uint32_t i = run.from; i < run.to; ++i, ++events) {
      const EventId e = g.thread(run.thread)[i];
      EXPECT_TRUE(i == 0 || done.contains(g.thread(run.thread)[i - 1])) << "po";
      EXPECT_TRUE(!g[e].is_read() || g[e].rf == kInit || done.contains(g[e].rf)) << "rf";
      done.insert(e);
    }
  }
  EXPECT_EQ(events, g.size());
}

class ReplayingObserver : public Observer {
 public:
  void execution(const Graph& g, Machine&, bool complete) override {
    ++seen;
    expect_porf_order(g, schedule_(g));
    const auto in_sequence = schedule_.in_sequence(g);
    sequential += !in_sequence.empty();
    if (!in_sequence.empty()) expect_porf_order(g, in_sequence);
    History history;
    history.rebuild(g, EventId(g.size()), {});
    EXPECT_EQ(history.check(g), "");
    EXPECT_EQ(history.replay(g, other, true), kNoThread);
    for (const ThreadId t : other.threads()) EXPECT_EQ(other.pending(t).kind, ActionKind::done) << complete;
  }

  ScriptMachine other{parse_script(kScript)};
  int seen = 0;
  int sequential = 0;

 private:
  Schedule schedule_;
};

TEST(Replay, BringsAnotherMachineToTheSameEnd) {
  ScriptMachine machine(parse_script(kScript));
  ReplayingObserver observer;
  const Result result = explore(machine, {.observer = &observer});
  EXPECT_EQ(result.executions, static_cast<uint64_t>(observer.seen));
  EXPECT_GT(observer.sequential, 10);
  EXPECT_LT(observer.sequential, observer.seen) << "some executions are not sequentially consistent";
}

}  // namespace
}  // namespace heddle
