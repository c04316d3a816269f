#include "report/explain.hpp"

#include <gtest/gtest.h>

#include "unit/report/samples.hpp"

namespace heddle {
namespace {

using namespace samples;

std::vector<std::string> explained(const Result& r, const SiteTable& sites, const std::string& model) {
  const Style style;
  return explain(r.findings[0], StepTeller(r.findings[0], sites, style), model);
}

TEST(Explain, RaceNamesBothWeakSides) {
  SiteTable sites;
  Result r = race(sites);
  r.findings[0].trace.steps[3].action.mode = Mode::rlx;
  r.findings[0].trace.steps[3].acquired = false;
  EXPECT_EQ(explained(r, sites, "rc11").at(1),
            "T2 line 14 reads flag from T1 line 9, which orders nothing: the write is relaxed (needs release) and the "
            "read is relaxed (needs acquire)");
}

// What the other thread has written before its access says nothing of what comes later, whatever its order.
TEST(Explain, AWriteBeforeTheOtherAccessIsNotToBlame) {
  SiteTable sites;
  Result r = race(sites);
  r.findings[0].error.other_after = 1;
  EXPECT_EQ(explained(r, sites, "rc11").size(), 1u);
}

TEST(Explain, APairThatSynchronisesIsNotToBlame) {
  SiteTable sites;
  Result r = race(sites);
  r.findings[0].trace.steps[2].released = true;  // by a fence before it, the graph says
  EXPECT_EQ(explained(r, sites, "rc11").size(), 1u);
}

// Store buffering: both reads miss the other thread's write.
Result store_buffering(SiteTable& sites) {
  Finding f;
  f.trace.threads = three_threads();
  f.trace.steps = {write(ThreadId(1), "x", 0x10, 1, Mode::rlx, at(sites, 5)),
                   read(ThreadId(1), "y", 0x20, 0, Mode::rlx, at(sites, 6)),
                   write(ThreadId(2), "y", 0x20, 1, Mode::rlx, at(sites, 10)),
                   read(ThreadId(2), "x", 0x10, 0, Mode::rlx, at(sites, 11))};
  f.error = {.kind = ErrorKind::assertion, .message = "assertion failed", .thread = kMain, .site = at(sites, 20)};
  Result r;
  r.findings.push_back(f);
  return r;
}

TEST(Explain, StaleReadOfAnInitialValue) {
  SiteTable sites;
  const Result r = store_buffering(sites);
  const std::vector<std::string> expected = {
      "T2 line 11 may still read the initial x = 0: nothing orders the write of T1 line 5 before it"};
  EXPECT_EQ(explained(r, sites, "rc11"), expected);
}

TEST(Explain, WhatALivelockWaitsFor) {
  SiteTable sites;
  Result r = store_buffering(sites);
  r.findings[0].error.kind = ErrorKind::livelock;
  r.findings[0].trace.steps[3].blocked = true;
  const std::vector<std::string> expected = {
      "T2 line 11 waits for another value of x than 0, its initial value, and no thread can go on to write one"};
  EXPECT_EQ(explained(r, sites, "rc11"), expected);
  r.findings[0].trace.steps[3].rf = 0;
  EXPECT_NE(explained(r, sites, "rc11").at(0).find("which T1 line 5 has written"), std::string::npos);
}

TEST(Explain, NothingIsClaimedUnderSc) {
  SiteTable sites;
  const Result r = store_buffering(sites);
  EXPECT_TRUE(explained(r, sites, "sc").empty());
}

TEST(Explain, ARaceWithoutLinksTellsWhatWasMissed) {
  SiteTable sites;
  Result r = store_buffering(sites);
  Error& e = r.findings[0].error;
  e.kind = ErrorKind::race;
  e.thread = ThreadId(2);
  e.other_thread = ThreadId(1);
  EXPECT_NE(explained(r, sites, "rc11").back().find("T2 line 11 may still read the initial x = 0"), std::string::npos);
}

TEST(Explain, AnOldWriteThatIsNotTheInitialOne) {
  SiteTable sites;
  Finding f;
  f.trace.threads = three_threads();
  f.trace.steps = {write(ThreadId(1), "x", 0x10, 1, Mode::rlx, at(sites, 5)),
                   write(ThreadId(1), "x", 0x10, 2, Mode::rlx, at(sites, 6)),
                   read(ThreadId(2), "x", 0x10, 1, Mode::rlx, at(sites, 10), 0)};
  for (std::size_t i = 0; i < 3; ++i) {
    f.trace.steps[i].position = i < 2 ? static_cast<uint32_t>(i) + 1 : 1;
    f.trace.steps[i].hb =
        i < 2 ? std::vector<uint32_t>{0, static_cast<uint32_t>(i) + 1, 0} : std::vector<uint32_t>{0, 0, 1};
    f.trace.steps[i].co = i < 2 ? static_cast<uint32_t>(i) + 1 : 0;
  }
  f.error = {.kind = ErrorKind::assertion, .message = "m", .thread = ThreadId(2), .site = at(sites, 11)};
  Result r;
  r.findings.push_back(f);
  const std::vector<std::string> expected = {
      "T2 line 10 may still read x = 1 from T1 line 5: nothing orders the newer write of T1 line 6 before it"};
  EXPECT_EQ(explained(r, sites, "rc11"), expected);
  EXPECT_TRUE(explained(r, sites, "wrc11").empty());  // which is newer is not known there
}

// head is 1, then 2, then 1 again; T1 writes what it has read while it was 1 for the first time.
TEST(Explain, ACompareExchangeIsDeceived) {
  SiteTable sites;
  const auto cas = [&](unsigned thread, uint64_t from, uint64_t to, unsigned line, int rf) {
    TraceStep s = read(ThreadId(thread), "head", 0x10, from, Mode::sc, at(sites, line), rf);
    s.action.kind = ActionKind::cas;
    s.action.expected = {from, 0};
    s.written = Value{to, 0};
    return s;
  };
  Finding f;
  f.trace.threads = three_threads();
  f.trace.steps = {read(ThreadId(1), "head", 0x10, 1, Mode::sc, at(sites, 5)),
                   read(ThreadId(1), "next[1]", 0x20, 2, Mode::sc, at(sites, 6)), cas(2, 1, 2, 7, -1),
                   cas(2, 2, 1, 8, 2), cas(1, 1, 2, 7, 3)};
  f.error = {.kind = ErrorKind::assertion, .message = "m", .thread = ThreadId(1), .site = at(sites, 9)};
  Result r;
  r.findings.push_back(f);
  const std::vector<std::string> expected = {
      "T1 line 7 finds head = 1, as T1 line 5 did, but it has changed in between and come back (T2 line 8): what T1 "
      "line 6 has read may be old (ABA)"};
  EXPECT_EQ(explained(r, sites, "sc"), expected);
  r.findings[0].trace.steps[1].read = Value{3, 0};  // it writes something else
  EXPECT_TRUE(explained(r, sites, "sc").empty());
  r.findings[0].trace.steps[1].read = Value{2, 0};
  r.findings[0].trace.steps[3].co = 1;  // in memory the other value comes after it
  r.findings[0].trace.steps[2].co = 2;
  EXPECT_TRUE(explained(r, sites, "sc").empty());
  r.findings[0].trace.steps[3].co = 3;
  EXPECT_EQ(explained(r, sites, "sc"), expected);
  for (const std::size_t i : {2, 3}) r.findings[0].trace.steps[i].written = Value{1, 0};  // it has never changed
  EXPECT_TRUE(explained(r, sites, "sc").empty());
}

// The notification came before anybody waited; another one, of another object, is none of its business.
TEST(Explain, ALostWakeUpNamesTheNotification) {
  SiteTable sites;
  Finding f;
  f.trace.threads = three_threads();
  const auto notify = [&](const char* what, Address a, unsigned line) {
    TraceStep step = read(ThreadId(1), what, a, 0, Mode::acq, at(sites, line));
    step.action.purpose = Purpose::notify;
    return step;
  };
  TraceStep waits = read(ThreadId(2), "changed", 0x30, 0, Mode::acq, at(sites, 11));
  waits.action.purpose = Purpose::woken;
  waits.blocked = true;
  f.trace.steps = {notify("changed", 0x10, 5), notify("other", 0x20, 6), waits};
  f.error = {.kind = ErrorKind::deadlock, .message = "deadlock", .thread = ThreadId(2), .site = at(sites, 11)};
  Result r;
  r.findings.push_back(f);
  std::vector<std::string> expected = {"T2 line 11 waits to be woken at changed"};
  EXPECT_EQ(explained(r, sites, "rc11"), expected);  // it is not known that it is to blame
  r.findings[0].advice.notice = {.step = 0, .too_early = true};
  expected.push_back("T1 line 5 has notified it too early: no thread was waiting yet");
  EXPECT_EQ(explained(r, sites, "rc11"), expected);

  r.findings[0].trace.steps[0].read = Value{3, 0};
  r.findings[0].advice.notice = {.step = 0, .too_early = false};
  expected[1] = "T1 line 5 has woken only one of 2 threads that waited: if it wakes all, no execution goes wrong";
  EXPECT_EQ(explained(r, sites, "rc11"), expected);
}

// A use, and the end of the memory by T1.
Result after_the_end(SiteTable& sites, Clash clash) {
  Finding f;
  f.trace.threads = three_threads();
  f.error = {.kind = ErrorKind::memory,
             .message = "m",
             .thread = ThreadId(2),
             .site = at(sites, 11),
             .other_thread = ThreadId(1),
             .other_site = at(sites, 5),
             .clash = clash};
  Result r;
  r.findings.push_back(f);
  return r;
}

TEST(Explain, WhatIsWrongBetweenAUseAndTheEndOfTheMemory) {
  SiteTable sites;
  const auto why = [&](Clash clash) { return explained(after_the_end(sites, clash), sites, "rc11").at(0); };
  EXPECT_EQ(why(Clash::unordered), "nothing makes T1 line 5 wait for T2 line 11");
  EXPECT_EQ(why(Clash::in_use), "nothing makes T2 line 11 wait for T1 line 5");
  EXPECT_EQ(why(Clash::gone), "T2 line 11 happens after T1 line 5: the memory is gone by then");
  EXPECT_EQ(why(Clash::twice), "T1 line 5 and T2 line 11 free the same block");
}

TEST(Explain, WhereBothThatFreeABlockHaveItFrom) {
  SiteTable sites;
  Result r = after_the_end(sites, Clash::twice);
  const auto frees = [&](unsigned thread, unsigned line) {
    TraceStep s = thread_step(ThreadId(thread), ActionKind::free, kNoThread, at(sites, line));
    s.action.addr = 0x1000;
    return s;
  };
  auto& steps = r.findings[0].trace.steps;
  steps = {read(ThreadId(1), "head", 0x10, 0x1000, Mode::sc, at(sites, 4)),
           read(ThreadId(2), "head", 0x10, 0x1000, Mode::sc, at(sites, 10)), frees(1, 5), frees(2, 11)};
  EXPECT_EQ(explained(r, sites, "rc11").at(0),
            "T1 line 5 and T2 line 11 free the same block: both have read its address from head, T1 line 4 and T2 line "
            "10");
  steps[1].location = "spare";
  EXPECT_EQ(explained(r, sites, "rc11").at(0),
            "T1 line 5 and T2 line 11 free the same block: T1 line 4 has read its address from head, T2 line 10 from "
            "spare");
}

// Readers-writer locks, and what main has locked before there were other threads.
TEST(Explain, WhoHoldsALockIsToldWithoutAStepThatTakesIt) {
  SiteTable sites;
  Result r = deadlock(sites);
  TraceStep waits = lock(ThreadId(1), "rw", 0x30, at(sites, 9), -1, true);
  waits.action.purpose = Purpose::exclusive_lock;
  waits.holders = {{kMain, at(sites, 3)}, {ThreadId(2), at(sites, 6)}};
  r.findings[0].trace.steps = {waits};
  EXPECT_EQ(explained(r, sites, "rc11").at(0),
            "T1 line 9 waits for rw, which main holds since line 3 and T2 since line 6");
  r.findings[0].trace.steps[0].holders = {{ThreadId(1), at(sites, 3)}};
  EXPECT_EQ(explained(r, sites, "rc11").at(0), "T1 line 9 waits for rw, which it holds since line 3");
}

}  // namespace
}  // namespace heddle
