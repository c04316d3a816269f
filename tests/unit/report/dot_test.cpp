#include "report/dot.hpp"

#include <gtest/gtest.h>

#include "unit/report/samples.hpp"

namespace heddle {
namespace {

TEST(Dot, AClusterForEachThread) {
  SiteTable sites;
  const std::string dot = dot_report(samples::run(), samples::race(sites), sites);
  EXPECT_TRUE(dot.starts_with("digraph heddle {\n")) << dot;
  EXPECT_TRUE(dot.ends_with("}\n"));
  for (const char* part : {"label=\"error: data race (rc11, spore)\";", "label=\"mp.c:15:3: data race on data\";",
                           "label=\"main\";", "label=\"T1 producer\";", "label=\"T2 consumer\";",
                           "e0_2 [label=\"9  write(rlx) flag = 1\"];", "e0_0 -> e0_1 [label=\"po\"",
                           "e0_2 -> e0_3 [label=\"rf\"", "e0_failure [label=\"15  ✗ race\"", "e0_3 -> e0_failure ["})
    EXPECT_NE(dot.find(part), std::string::npos) << part << "\n" << dot;
}

TEST(Dot, ReadsOfInitialValuesAndWritesInOrder) {
  using namespace samples;
  SiteTable sites;
  Result result = deadlock(sites);
  std::vector<TraceStep>& steps = result.findings[0].trace.steps;
  steps.push_back(write(ThreadId(1), "x", 0x30, 1, Mode::rlx, kNoSite));
  steps.push_back(write(ThreadId(2), "x", 0x30, 2, Mode::rlx, kNoSite));
  steps[5].co = 2;
  steps[6].co = 1;
  const std::string dot = dot_report(run(), result, sites);
  EXPECT_NE(dot.find("e0_init -> e0_0 [label=\"rf\""), std::string::npos) << dot;
  EXPECT_NE(dot.find("e0_6 -> e0_5 [label=\"co\""), std::string::npos) << dot;
  EXPECT_NE(dot.find("lock b\\nwaits for ever\", color=red3"), std::string::npos) << dot;
  EXPECT_EQ(dot.find("failure"), std::string::npos) << dot;
}

TEST(Dot, QuotesWhatItIsTold) {
  SiteTable sites;
  Result result = samples::race(sites);
  result.findings[0].error.message = "\"}\\N\n\xff";
  const std::string dot = dot_report(samples::run(), result, sites);
  EXPECT_NE(dot.find("\\\"}\\\\N\\n\xef\xbf\xbd\";"), std::string::npos) << dot;
}

TEST(Dot, WithoutAnErrorTheVerdict) {
  Result result;
  result.executions = 6;
  const std::string dot = dot_report(samples::run(), result, {});
  EXPECT_NE(dot.find("label=\"verified: no error in any of 6 executions (rc11, spore)\""), std::string::npos) << dot;
  EXPECT_EQ(dot.find("subgraph"), std::string::npos);
  EXPECT_NE(dot_failure(samples::run(), "failed", "no").find("label=\"failed: no (rc11, spore)\""), std::string::npos);
}

}  // namespace
}  // namespace heddle
