#include "cli/supervise.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "core/stop.hpp"

namespace heddle::cli {
namespace {

TEST(Supervise, PassesTheStatusOn) {
  EXPECT_EQ(supervise([] { return 0; }), 0);
  EXPECT_EQ(supervise([] { return 3; }), 3);
}

TEST(Supervise, ACrashIsAnInternalError) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(supervise([]() -> int {
              raise(SIGSEGV);
              return 0;
            }),
            kFailed);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("internal error"), std::string::npos);
}

TEST(Supervise, AnEarlyExitIsNotAVerdict) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(supervise([]() -> int { _exit(0); }), kFailed);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("internal error"), std::string::npos);
}

// With limits.

struct Ended {
  int status;
  std::vector<Cut> cuts;
  double seconds;
};

Ended watch(const Limits& limits, const std::function<int()>& work) {
  const auto start = std::chrono::steady_clock::now();
  Ended ended{};
  ended.status = supervise(work, limits, [&](const Cut& cut) { ended.cuts.push_back(cut); });
  ended.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return ended;
}

// It ends soon after the limit. The machine may be busy: some tries.
Ended watch_soon(const Limits& limits, const std::function<int()>& work) {
  Ended ended{};
  for (int i = 0; i < 5; ++i) {
    ended = watch(limits, work);
    if (ended.seconds < *limits.seconds + 0.2) break;
  }
  EXPECT_LT(ended.seconds, *limits.seconds + 0.2);
  return ended;
}

void expect_cut(const Ended& ended, Limit limit, uint64_t executions) {
  EXPECT_EQ(ended.status, kIncomplete);
  ASSERT_EQ(ended.cuts.size(), 1u);
  EXPECT_EQ(name(ended.cuts[0].limit), name(limit));
  EXPECT_EQ(ended.cuts[0].result.executions, executions);
  EXPECT_EQ(ended.cuts[0].result.verdict, Verdict::incomplete);
}

[[noreturn]] void sleep_for_ever() {
  for (;;) pause();
}

Stop wait_for_question() {
  while (stop::asked == Stop::none) usleep(100);
  return stop::asked;
}

TEST(Watch, PassesTheStatusOn) {
  const Ended ended = watch({10, UINT64_MAX}, [] { return 1; });
  EXPECT_EQ(ended.status, 1);
  EXPECT_TRUE(ended.cuts.empty());
}

TEST(Watch, ACompilerIsKilledWhenTheTimeIsOver) {
  const Ended ended = watch_soon({0.3, UINT64_MAX}, []() -> int { sleep_for_ever(); });
  expect_cut(ended, Limit::time, 0);
  EXPECT_GE(ended.seconds, 0.3);
}

TEST(Watch, AnExplorationIsAskedToStop) {
  const Ended ended = watch_soon({0.3, UINT64_MAX}, [] {
    begin_exploring(0);
    return wait_for_question() == Stop::time ? 7 : 8;
  });
  EXPECT_EQ(ended.status, 7);
  EXPECT_TRUE(ended.cuts.empty());
}

TEST(Watch, OneThatDoesNotListenIsKilledWithItsCounts) {
  const Ended ended = watch_soon({0.3, UINT64_MAX}, []() -> int {
    begin_exploring(0);
    stop::progress->executions = 5;
    sleep_for_ever();
  });
  expect_cut(ended, Limit::time, 5);
}

TEST(Watch, Memory) {
  const Ended ended = watch({{}, 200 << 20}, [] {
    begin_exploring(0);
    for (int i = 0; stop::asked == Stop::none && i < 1000; ++i) {
      std::memset(std::malloc(1 << 20), 1, 1 << 20);  // NOLINT: it is to stay
      usleep(1000);
    }
    return stop::asked == Stop::memory ? 7 : 8;
  });
  EXPECT_EQ(ended.status, 7);
}

TEST(Watch, OneThatTakesMuchMoreIsKilled) {
  const Ended ended = watch({{}, 100 << 20}, []() -> int {
    begin_exploring(0);
    for (int i = 0; i < 400; ++i) std::memset(std::malloc(1 << 20), 1, 1 << 20);  // NOLINT: it is to stay
    sleep_for_ever();
  });
  expect_cut(ended, Limit::memory, 0);
}

// As the kernel does when there is no memory left.
TEST(Watch, AKilledChildIsIncomplete) {
  const Ended ended = watch({}, []() -> int {
    begin_exploring(0);
    stop::progress->executions = 6;
    raise(SIGKILL);
    return 0;
  });
  expect_cut(ended, Limit::killed, 6);
}

TEST(Watch, WhatAKilledChildHasFoundIsTold) {
  const Ended ended = watch({}, []() -> int {
    begin_exploring(0);
    SiteTable sites;
    Finding finding;
    finding.error.message = "no";
    finding.error.site = sites.add({.file = "a.c", .line = 3, .function = "f"});
    for (int i = 0; i < 2; ++i) note_down(finding, sites);
    finding.error.kind = ErrorKind::race;
    note_down(finding, sites);
    raise(SIGKILL);
    return 0;
  });
  EXPECT_EQ(ended.status, kBugFound);
  ASSERT_EQ(ended.cuts.size(), 1u);
  const auto& [limit, result, sites, seconds, compile_seconds, peak] = ended.cuts[0];
  EXPECT_EQ(name(limit), name(Limit::killed));
  EXPECT_EQ(result.verdict, Verdict::error);
  ASSERT_EQ(result.findings.size(), 2u);
  EXPECT_EQ(result.findings[0].error.message, "no");
  EXPECT_EQ(result.findings[1].error.kind, ErrorKind::race);
  EXPECT_EQ(sites[result.findings[1].error.site].line, 3u);
}

TEST(Watch, AnInterruptIsPassedOn) {
  for (const int signal : {SIGINT, SIGTERM}) {
    const Ended ended = watch({}, [signal] {
      begin_exploring(0);
      kill(getppid(), signal);
      return wait_for_question() == Stop::interrupted ? 7 : 8;
    });
    EXPECT_EQ(ended.status, 7);
  }
}

TEST(Watch, ASecondInterruptKills) {
  const Ended ended = watch({}, []() -> int {
    begin_exploring(0);
    stop::progress->blocked = 2;
    kill(getppid(), SIGINT);
    usleep(100'000);
    kill(getppid(), SIGINT);
    sleep_for_ever();
  });
  expect_cut(ended, Limit::interrupted, 0);
  EXPECT_EQ(ended.cuts[0].result.blocked, 2u);
  EXPECT_LT(ended.seconds, 10);
}

TEST(Watch, ACrashIsAnInternalErrorHereToo) {
  testing::internal::CaptureStderr();
  const Ended ended = watch({10, UINT64_MAX}, []() -> int {
    signal(SIGSEGV, SIG_DFL);
    raise(SIGSEGV);
    return 0;
  });
  EXPECT_EQ(ended.status, kFailed);
  EXPECT_TRUE(ended.cuts.empty());
  EXPECT_NE(testing::internal::GetCapturedStderr().find("internal error"), std::string::npos);
}

TEST(Watch, TheCompilerOfAKilledChildGoesToo) {
  void* const page = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(page, MAP_FAILED);
  auto* const compiler = static_cast<volatile pid_t*>(page);
  const Ended ended = watch({0.3, UINT64_MAX}, [compiler]() -> int {
    const pid_t pid = fork();
    if (pid == 0) sleep_for_ever();
    *compiler = pid;
    sleep_for_ever();
  });
  expect_cut(ended, Limit::time, 0);
  EXPECT_EQ(kill(*compiler, 0), -1);
  EXPECT_EQ(errno, ESRCH);
  munmap(page, 4096);
}

}  // namespace
}  // namespace heddle::cli
