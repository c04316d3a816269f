// Well-known tests of several threads, with their exact states.
#include <gtest/gtest.h>

#include "litmus/print.hpp"
#include "unit/litmus/support.hpp"

namespace heddle::litmus {
namespace {

using States = std::vector<std::string>;

std::string store_buffering(const std::string& order) {
  return "C SB {} P0 (atomic_int* x, atomic_int* y) { atomic_store_explicit(x, 1, " + order +
         "); int r0 = atomic_load_explicit(y, " + order + "); }" +
         "P1 (atomic_int* x, atomic_int* y) { atomic_store_explicit(y, 1, " + order +
         "); int r0 = atomic_load_explicit(x, " + order + "); } exists (0:r0=0 /\\ 1:r0=0)";
}

TEST(LitmusRun, StoreBuffering) {
  const States strong = {"0:r0=0; 1:r0=1;", "0:r0=1; 1:r0=0;", "0:r0=1; 1:r0=1;"};
  const States weak = {"0:r0=0; 1:r0=0;", "0:r0=0; 1:r0=1;", "0:r0=1; 1:r0=0;", "0:r0=1; 1:r0=1;"};
  EXPECT_EQ(states(store_buffering("memory_order_relaxed"), ModelKind::sc), strong);
  EXPECT_EQ(states(store_buffering("memory_order_relaxed"), ModelKind::rc11), weak);
  EXPECT_EQ(states(store_buffering("memory_order_seq_cst"), ModelKind::rc11), strong);
}

std::string message_passing(const std::string& write, const std::string& read) {
  return "C MP { } P0 (int* data, atomic_int* flag) { *data = 1; atomic_store_explicit(flag, 1, " + write +
         "); } P1 (int* data, atomic_int* flag) { int r0 = atomic_load_explicit(flag, " + read +
         "); int r1 = 7; if (r0) { r1 = *data; } } ~exists (1:r0=1 /\\ 1:r1=0)";
}

TEST(LitmusRun, MessagePassing) {
  const std::string good = message_passing("memory_order_release", "memory_order_acquire");
  EXPECT_EQ(states(good, ModelKind::rc11), (States{"1:r0=0; 1:r1=7;", "1:r0=1; 1:r1=1;"}));
  EXPECT_FALSE(run(parse(good, "t"), ModelKind::rc11).race);
  const std::string bad = message_passing("memory_order_relaxed", "memory_order_acquire");
  EXPECT_EQ(states(bad, ModelKind::rc11), (States{"1:r0=0; 1:r1=7;", "1:r0=1; 1:r1=0;", "1:r0=1; 1:r1=1;"}));
  EXPECT_TRUE(run(parse(bad, "t"), ModelKind::rc11).race);
  EXPECT_EQ(states(bad, ModelKind::sc), (States{"1:r0=0; 1:r1=7;", "1:r0=1; 1:r1=1;"}));
  EXPECT_TRUE(run(parse(bad, "t"), ModelKind::sc).race);
}

TEST(LitmusRun, RacesAreThoseOfPlainAccesses) {
  const auto race = [](const std::string& first, const std::string& second) {
    return run(parse("C t {} P0 (int* x) {" + first + "} P1 (int* x) {" + second + "} exists (x=1)", "t"),
               ModelKind::rc11)
        .race;
  };
  EXPECT_TRUE(race("*x = 1;", "*x = 2;"));
  EXPECT_TRUE(race("*x = 1;", "int r = *x;"));
  EXPECT_TRUE(race("*x = 1;", "atomic_store(x, 2);"));
  EXPECT_FALSE(race("int s = *x;", "int r = *x;"));
  EXPECT_FALSE(race("atomic_store(x, 1);", "int r = atomic_load(x);"));
  EXPECT_FALSE(race("*x = 1;", ""));
}

TEST(LitmusRun, LastWritesAreWhatMainReads) {
  const std::string text =
      "C 2+2W {} P0 (atomic_int* x, atomic_int* y) { atomic_store_explicit(x, 1, memory_order_relaxed); "
      "atomic_store_explicit(y, 2, memory_order_relaxed); } P1 (atomic_int* x, atomic_int* y) { "
      "atomic_store_explicit(y, 1, memory_order_relaxed); atomic_store_explicit(x, 2, memory_order_relaxed); } "
      "exists (x=1 /\\ y=1)";
  EXPECT_EQ(states(text, ModelKind::sc), (States{"x=1; y=2;", "x=2; y=1;", "x=2; y=2;"}));
  EXPECT_EQ(states(text, ModelKind::rc11), (States{"x=1; y=1;", "x=1; y=2;", "x=2; y=1;", "x=2; y=2;"}));
}

TEST(LitmusRun, LoadBufferingIsNeverSeen) {
  const std::string text =
      "C LB {} P0 (atomic_int* x, atomic_int* y) { int r0 = atomic_load_explicit(x, memory_order_relaxed); "
      "atomic_store_explicit(y, 1, memory_order_relaxed); } P1 (atomic_int* x, atomic_int* y) { "
      "int r0 = atomic_load_explicit(y, memory_order_relaxed); atomic_store_explicit(x, 1, memory_order_relaxed); } "
      "exists (0:r0=1 /\\ 1:r0=1)";
  EXPECT_EQ(states(text, ModelKind::rc11), (States{"0:r0=0; 1:r0=0;", "0:r0=0; 1:r0=1;", "0:r0=1; 1:r0=0;"}));
}

TEST(LitmusRun, OneCompareExchangeWins) {
  const std::string text =
      "C CAS {} P0 (atomic_int* x) { int e = 0; int ok = atomic_compare_exchange_strong(x, &e, 1); } "
      "P1 (atomic_int* x) { int e = 0; int ok = atomic_compare_exchange_weak(x, &e, 2); } "
      "locations [0:e; 1:e; x;] forall (0:ok=1 /\\ 1:ok=0 \\/ 0:ok=0 /\\ 1:ok=1)";
  for (const ModelKind m : {ModelKind::sc, ModelKind::rc11}) {
    EXPECT_EQ(states(text, m), (States{"0:e=0; 0:ok=1; 1:e=1; 1:ok=0; x=1;", "0:e=2; 0:ok=0; 1:e=0; 1:ok=1; x=2;"}));
    const Litmus litmus = parse(text, "t");
    EXPECT_TRUE(ok(litmus, run(litmus, m)));
  }
}

TEST(LitmusRun, ABranchMayCancelAnAccess) {
  const std::string text =
      "C t {} P0 (atomic_int* x) { atomic_store(x, 1); } "
      "P1 (atomic_int* x, atomic_int* y) { if (atomic_load(x) == 1 && atomic_fetch_add(y, 1) == 0) *y = *y + 10; else "
      "*y "
      "= 5; } exists (y=11)";
  EXPECT_EQ(states(text, ModelKind::sc), (States{"y=5;", "y=11;"}));
  EXPECT_EQ(states(text, ModelKind::rc11), (States{"y=5;", "y=11;"}));
}

TEST(LitmusRun, ExecutionsAreCounted) {
  const Litmus litmus = parse(store_buffering("memory_order_relaxed"), "t");
  const Outcome outcome = run(litmus, ModelKind::rc11);
  EXPECT_EQ(outcome.satisfying, 1u);
  EXPECT_EQ(outcome.others, 3u);
  // Two orders of the writes, one state.
  const Outcome same =
      run(parse("C t {} P0 (int* x) {atomic_store(x, 1);} P1 (int* x) {atomic_store(x, 1);} forall (x=1)", "t"),
          ModelKind::rc11);
  EXPECT_EQ(same.states.size(), 1u);
  EXPECT_EQ(same.satisfying, 2u);
}

TEST(LitmusRun, TheScriptIsThatOfTheInterface) {
  const Litmus litmus = parse(store_buffering("memory_order_relaxed") + " /\\ x=1", "t");
  ASSERT_EQ(litmus.script.threads.size(), 3u);
  std::vector<ScriptThread> threads(3);
  threads[1].reg[litmus.observed[0].reg] = 0;
  threads[2].reg[litmus.observed[1].reg] = static_cast<uint64_t>(-4);
  threads[0].reg[litmus.observed[2].reg] = 1;
  EXPECT_EQ(state(litmus, threads), "0:r0=0; 1:r0=-4; x=1;");
  EXPECT_FALSE(holds(litmus, threads));
  threads[2].reg[litmus.observed[1].reg] = 0;
  EXPECT_TRUE(holds(litmus, threads));
}

TEST(LitmusRun, DivisionByZeroIsAnErrorWithItsPlace) {
  EXPECT_EQ(error_of("C t {}\nP0 (atomic_int* x) { atomic_store(x, 0); }\nP1 (atomic_int* x) {\n  int r0 = 8 / *x;\n}\n"
                     "exists true"),
            "t.litmus:4:14: division by zero in an execution; test the divisor with if");
  EXPECT_EQ(error_of(one_thread("int r0 = 0; if (*x) r0 = 8 % *x;")), "");
}

}  // namespace
}  // namespace heddle::litmus
