#include "report/text.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "unit/report/samples.hpp"

namespace heddle {
namespace {

using namespace samples;

TEST(TextReport, VerifiedProgram) {
  Result r;
  r.executions = 6;
  r.blocked = 2;
  r.events = 1200;
  EXPECT_EQ(text_report(run(), r, SiteTable(), Style{}),
            "verified: no error in any of 6 executions (rc11, spore)\n"
            "  6 executions, 2 blocked in 0.06 s (compile 0.04 s, explore 0.01 s)\n"
            "  800 executions/s, 120k events/s, 50 MiB\n");
}

TEST(TextReport, LongReasonsTakeSeveralLines) {
  SiteTable sites;
  Style style;
  style.width = 60;
  const std::string text = text_report(run(), race(sites), sites, style);
  EXPECT_NE(text.find("\n  why: these two accesses are not ordered by\n"
                      "       happens-before: T1 line 8 and T2 line 15\n"),
            std::string::npos)
      << text;
}

TEST(TextReport, OneExecution) {
  Result r;
  r.executions = 1;
  const std::string text = text_report(run(), r, SiteTable(), Style{});
  EXPECT_TRUE(text.starts_with("verified: no error in the only execution (rc11, spore)\n  1 execution in")) << text;
}

TEST(TextReport, NothingComplete) {
  Result r;
  r.verdict = Verdict::incomplete;
  r.blocked = 3;
  r.limits = {{Limit::assumption}};
  const std::string text = text_report(run(), r, SiteTable(), Style{});
  EXPECT_TRUE(text.starts_with("incomplete: no error found, but no execution is complete (rc11, spore)\n")) << text;
  EXPECT_NE(text.find("\n  limit: no execution is complete"), std::string::npos) << text;
}

TEST(TextReport, WarningsComeFirst) {
  Result r;
  r.executions = 2;
  RunInfo info = run();
  info.warnings = {"assert() checks nothing"};
  EXPECT_TRUE(text_report(info, r, SiteTable(), Style{}).starts_with("warning: assert() checks nothing\nverified"));
}

TEST(TextReport, LimitsAreNamed) {
  SiteTable sites;
  Result r;
  r.verdict = Verdict::incomplete;
  r.executions = 1000;
  r.limits = {{Limit::executions}, {Limit::unroll, at(sites, 12)}};
  const std::string text = text_report(run(), r, sites, Style{});
  EXPECT_TRUE(
      text.starts_with("incomplete: no error found in 1000 executions, but not everything was explored "
                       "(rc11, spore)\n"
                       "  limit: the allowed number of executions was reached; raise --max-executions\n"
                       "  limit: the loop at mp.c:12:3 was cut; raise --unroll to see more of it\n"))
      << text;
}

TEST(TextReport, LoopsThatAreFollowedSayWhy) {
  SiteTable sites;
  const SiteId loop = at(sites, 12), other = at(sites, 20), access = at(sites, 13);
  Result r;
  r.verdict = Verdict::incomplete;
  r.limits = {{Limit::loop, loop, 8}, {Limit::loop, other}};
  r.followed = {{loop, access}};
  const std::string text = text_report(run(), r, sites, Style{});
  EXPECT_NE(text.find("the loop at mp.c:12:3 goes round again and again, and changes something at mp.c:13:3; all"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("the loop at mp.c:20:3 goes round again and again; bound it"), std::string::npos) << text;
  EXPECT_NE(text.find("  followed: the loop at mp.c:12:3, since a round may change something, as at mp.c:13:3\n"),
            std::string::npos)
      << text;
}

TEST(TextReport, RaceWithColumns) {
  SiteTable sites;
  const Result r = race(sites);
  EXPECT_EQ(text_report(run(), r, sites, Style{}),
            "error: data race (rc11, spore)\n"
            "  3 executions in 0.06 s (compile 0.04 s, explore 0.01 s)\n"
            "  300 executions/s, 4000 events/s, 50 MiB\n"
            "\n"
            "mp.c:15:3: race: data race on data\n"
            "mp.c:8:3: the other access, by T1\n"
            "  why: these two accesses are not ordered by happens-before: T1 line 8 and T2 line 15\n"
            "  why: T2 line 14 reads flag from T1 line 9, which orders nothing: the write is relaxed (needs release)\n"
            "\n"
            "The execution, line numbers first:\n"
            "  main            T1 producer               T2 consumer\n"
            "   22  create T1\n"
            "   23  create T2\n"
            "                    9  write(rlx) flag = 1\n"
            "                                             14  read(acq) flag = 1 <- T1 line 9\n"
            "                                             15  !! race\n"
            "\n"
            "The program printed:\n"
            "  | hello\n"
            "  | world\n"
            "\n"
            "To run it again: heddle check mp.c\n");
}

TEST(TextReport, DeadlockTellsWhoHoldsWhat) {
  SiteTable sites;
  const Result r = deadlock(sites);
  Style style;
  style.unicode = true;
  const std::string text = text_report(run(), r, sites, style);
  EXPECT_NE(text.find("mp.c:8:3: deadlock: 3 threads wait for ever\n"
                      "  why: T1 line 8 waits for b, which T2 holds since line 15\n"
                      "  why: T2 line 16 waits for a, which T1 holds since line 7\n"
                      "  why: T1 takes a before b, T2 the other way round: with one order for both this cannot happen\n"
                      "  why: main line 25 waits for T1 to end\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("  8  lock b ✗ waits for ever\n"), std::string::npos) << text;
}

TEST(TextReport, ShowsTheSourceLineWithACaret) {
  const std::string file = testing::TempDir() + "heddle_report_snippet.c";
  std::ofstream(file) << "int main(void) {\n\tassert(0);\n}\n";
  SiteTable sites;
  Result r;
  r.verdict = Verdict::error;
  Finding f;
  f.error = {
      .kind = ErrorKind::assertion, .message = "assertion `0' failed", .thread = kMain, .site = at(sites, 2, 2, file)};
  r.findings.push_back(f);
  const std::string text = text_report(run(), r, sites, Style{});
  EXPECT_NE(text.find("    2 | \tassert(0);\n      | \t^\n"), std::string::npos) << text;
}

TEST(TextReport, SystemHeadersAreLeftForTheCaller) {
  SiteTable sites;
  const SiteId call = at(sites, 30);
  const SiteId inlined = sites.add({"/usr/include/c++/12/atomic", 500, 7, "load", call});
  Result r;
  r.verdict = Verdict::error;
  Finding f;
  f.error = {.kind = ErrorKind::memory, .message = "freed memory is read", .thread = kMain, .site = inlined};
  r.findings.push_back(f);
  const std::string text = text_report(run(), r, sites, Style{});
  EXPECT_NE(text.find("mp.c:30:3: memory: freed memory is read\n"), std::string::npos) << text;
}

TEST(TextReport, UnknownPlace) {
  Result r;
  r.verdict = Verdict::error;
  Finding f;
  f.error = {.kind = ErrorKind::crash, .message = "SIGSEGV"};
  r.findings.push_back(f);
  const std::string text = text_report(run(), r, SiteTable(), Style{});
  EXPECT_NE(text.find("\ncrash: SIGSEGV\n"), std::string::npos) << text;
}

TEST(TextReport, LongTraceKeepsWhatTheFailureDependsOn) {
  SiteTable sites;
  const SiteId site = at(sites, 5);
  Finding f;
  f.trace.threads = three_threads();
  f.trace.steps.push_back(write(ThreadId(1), "seen", 0x30, 7, Mode::rlx, site));
  for (int i = 0; i < 300; ++i) f.trace.steps.push_back(write(ThreadId(1), "x", 0x40, i, Mode::rlx, site));
  f.trace.steps.push_back(read(ThreadId(2), "seen", 0x30, 7, Mode::rlx, site, 0));
  f.error = {.kind = ErrorKind::assertion, .message = "assertion failed", .thread = ThreadId(2), .site = site};
  Result r;
  r.verdict = Verdict::error;
  r.findings.push_back(f);

  const std::string text = text_report(run(), r, sites, Style{});
  EXPECT_NE(text.find("write(rlx) seen = 7\n  ... 300 steps left out ...\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("x = 299"), std::string::npos) << "nobody has read it";

  // What has been read may have been missed; of very many steps the last ones are shown.
  r.findings[0].trace.steps.push_back(read(ThreadId(2), "x", 0x40, 0, Mode::rlx, site));
  const std::string missed = text_report(run(), r, sites, Style{});
  EXPECT_NE(missed.find("x = 299\n"), std::string::npos) << missed;
  EXPECT_EQ(missed.find("x = 200\n"), std::string::npos) << missed;

  Style full;
  full.all_steps = true;
  EXPECT_EQ(text_report(run(), r, sites, full).find("left out"), std::string::npos);
}

TEST(TextReport, ColourOnlyOnRequest) {
  SiteTable sites;
  const Result r = race(sites);
  EXPECT_EQ(text_report(run(), r, sites, Style{}).find('\x1b'), std::string::npos);
  Style style;
  style.colour = true;
  EXPECT_TRUE(text_report(run(), r, sites, style).starts_with("\x1b[1;31merror\x1b[0m: data race"));
}

}  // namespace
}  // namespace heddle
