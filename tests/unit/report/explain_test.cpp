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
  const std::vector<std::string> expected = {"T2 line 11 waits to be woken at changed",
                                             "T1 line 5 has notified it too early: nobody was waiting yet"};
  EXPECT_EQ(explained(r, sites, "rc11"), expected);
}

}  // namespace
}  // namespace heddle
