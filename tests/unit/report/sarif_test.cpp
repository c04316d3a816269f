#include "report/sarif.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "unit/report/samples.hpp"

namespace heddle {
namespace {

using Sarif = nlohmann::json;

Sarif one_run(const std::string& text) {
  const Sarif log = Sarif::parse(text);
  EXPECT_EQ(log["version"], "2.1.0");
  EXPECT_EQ(log["runs"].size(), 1u);
  return log["runs"][0];
}

TEST(SarifReport, ARace) {
  SiteTable sites;
  const Sarif run = one_run(sarif_report(samples::run(), samples::race(sites), sites));
  EXPECT_EQ(run["tool"]["driver"]["name"], "heddle");
  const Sarif& invocation = run["invocations"][0];
  EXPECT_EQ(invocation["executionSuccessful"], true);
  EXPECT_EQ(invocation["exitCode"], 1);
  EXPECT_EQ(invocation["commandLine"], "heddle check mp.c");
  ASSERT_EQ(run["results"].size(), 1u);
  const Sarif& result = run["results"][0];
  EXPECT_EQ(result["ruleId"], "race");
  EXPECT_EQ(run["tool"]["driver"]["rules"][result["ruleIndex"].get<std::size_t>()]["id"], "race");
  EXPECT_TRUE(result["message"]["text"].get<std::string>().starts_with("data race on data.\nWhy: these two accesses"));
  const Sarif& place = result["locations"][0]["physicalLocation"];
  EXPECT_EQ(place["region"]["startLine"], 15);
  EXPECT_EQ(place["artifactLocation"]["uri"], "mp.c");
  EXPECT_EQ(place["artifactLocation"]["uriBaseId"], "%SRCROOT%");
  EXPECT_EQ(run["artifacts"][place["artifactLocation"]["index"].get<std::size_t>()]["location"]["uri"], "mp.c");
  const Sarif& other = result["relatedLocations"][0];
  EXPECT_EQ(other["physicalLocation"]["region"]["startLine"], 8);
  EXPECT_EQ(other["message"]["text"], "the other access, by T1");
}

TEST(SarifReport, AThreadFlowForEachThread) {
  SiteTable sites;
  const Sarif run = one_run(sarif_report(samples::run(), samples::race(sites), sites));
  const Sarif& flows = run["results"][0]["codeFlows"][0]["threadFlows"];
  ASSERT_EQ(flows.size(), 3u);
  EXPECT_EQ(flows[2]["id"], "T2");
  EXPECT_EQ(flows[2]["message"]["text"], "T2 consumer");
  std::vector<int> order;
  for (const Sarif& flow : flows)
    for (const Sarif& at : flow["locations"]) order.push_back(at["executionOrder"]);
  EXPECT_EQ(order, (std::vector{1, 2, 3, 4, 5}));
  EXPECT_EQ(flows[2]["locations"][0]["location"]["message"]["text"], "read(acq) flag = 1 ← T1 line 9");
  EXPECT_EQ(flows[2]["locations"][0]["state"]["flag"]["text"], "1");
  EXPECT_EQ(flows[2]["locations"][1]["importance"], "essential");
}

TEST(SarifReport, VerifiedHasNoResults) {
  Result result;
  result.executions = 6;
  const Sarif run = one_run(sarif_report(samples::run(), result, {}));
  EXPECT_TRUE(run["results"].is_array() && run["results"].empty());
  EXPECT_EQ(run["invocations"][0]["executionSuccessful"], true);
  EXPECT_EQ(run["invocations"][0]["exitCode"], 0);
  EXPECT_EQ(run["properties"]["executions"], 6);
}

TEST(SarifReport, ARunThatDidNotSeeAllSaysSo) {
  Result result;
  result.verdict = Verdict::incomplete;
  result.limits.push_back({Limit::time});
  const Sarif invocation = one_run(sarif_report(samples::run(), result, {}))["invocations"][0];
  EXPECT_EQ(invocation["executionSuccessful"], false);
  EXPECT_EQ(invocation["exitCode"], 3);
  EXPECT_EQ(invocation["toolExecutionNotifications"][0]["descriptor"]["id"], "time");
  const Sarif failed = one_run(sarif_failure(samples::run(), "failed", "no such file"))["invocations"][0];
  EXPECT_EQ(failed["executionSuccessful"], false);
  EXPECT_EQ(failed["exitCode"], 2);
  EXPECT_EQ(failed["toolExecutionNotifications"][0]["message"]["text"], "no such file");
}

TEST(SarifReport, ColumnsAreCharactersAndPathsAreUris) {
  const std::string file = testing::TempDir() + "heddle säge 100%.c";
  std::ofstream(file) << "/* ä */ assert(0);\n";
  SiteTable sites;
  Result result = samples::race(sites);
  result.findings[0].error.site = samples::at(sites, 1, 10, file);
  const Sarif run = one_run(sarif_report(samples::run(), result, sites));
  const Sarif& place = run["results"][0]["locations"][0]["physicalLocation"];
  EXPECT_EQ(place["region"]["startColumn"], 9);
  EXPECT_EQ(place["region"]["snippet"]["text"], "/* ä */ assert(0);");
  const std::string uri = place["artifactLocation"]["uri"];
  EXPECT_TRUE(uri.starts_with("file:///")) << uri;
  EXPECT_TRUE(uri.ends_with("/heddle%20s%C3%A4ge%20100%25.c")) << uri;
  std::filesystem::remove(file);
}

TEST(SarifReport, ManyErrorsAndStrangeBytes) {
  SiteTable sites;
  Result result = samples::race(sites);
  result.findings[0].error.message = "\xff";
  result.findings.push_back(samples::deadlock(sites).findings[0]);
  const Sarif run = one_run(sarif_report(samples::run(), result, sites));
  EXPECT_EQ(run["results"][1]["ruleId"], "deadlock");
}

}  // namespace
}  // namespace heddle
