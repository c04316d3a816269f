#include "report/json.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "unit/report/samples.hpp"

namespace heddle {
namespace {

using Json = nlohmann::ordered_json;
using namespace samples;

TEST(JsonReport, FixedMembersComeFirstAndInOrder) {
  SiteTable sites;
  const Json out = Json::parse(json_report(run(), race(sites), sites));
  std::vector<std::string> keys;
  for (const auto& [key, value] : out.items()) keys.push_back(key);
  keys.resize(11);
  const std::vector<std::string> expected = {"version", "files",      "model",       "algorithm",
                                             "verdict", "executions", "blocked",     "duplicates",
                                             "errors",  "seconds",    "peak_rss_kib"};
  EXPECT_EQ(keys, expected);
  EXPECT_EQ(out["seconds"].dump(), R"({"total":0.06,"compile":0.04,"explore":0.01})");
}

TEST(JsonReport, AFailureHasTheSameMembersAndAMessage) {
  const Json out = Json::parse(json_failure(run(), "failed", "no such file"));
  EXPECT_EQ(out["verdict"], "failed");
  EXPECT_EQ(out["message"], "no such file");
  EXPECT_EQ(out["executions"], 0);
  EXPECT_TRUE(out["errors"].empty());
  EXPECT_EQ(out["files"][0], run().files[0]);
}

TEST(JsonReport, WarnsWhenNoExecutionIsComplete) {
  Result result;
  EXPECT_EQ(Json::parse(json_report(run(), result, {}))["warnings"].size(), 1u);
  result.executions = 1;
  EXPECT_TRUE(Json::parse(json_report(run(), result, {}))["warnings"].empty());
  result.executions = 0;
  result.verdict = Verdict::incomplete;
  EXPECT_TRUE(Json::parse(json_report(run(), result, {}))["warnings"].empty());
}

TEST(JsonReport, AnErrorHasKindMessageAndPlace) {
  SiteTable sites;
  const Json error = Json::parse(json_report(run(), race(sites), sites))["errors"][0];
  EXPECT_EQ(error["kind"], "race");
  EXPECT_EQ(error["message"], "data race on data");
  EXPECT_EQ(error["file"], "mp.c");
  EXPECT_EQ(error["line"], 15);
  EXPECT_EQ(error["thread"], "T2");
  EXPECT_EQ(error["other"]["line"], 8);
  EXPECT_EQ(error["trace"].size(), 4u);
  EXPECT_EQ(error["trace"][3].dump(),
            R"({"thread":"T2","action":"load","order":"acq","location":"flag","read":1,"reads_from":2,)"
            R"("file":"mp.c","line":14})");
}

TEST(JsonReport, VerifiedHasNoErrors) {
  Result r;
  r.executions = 6;
  const Json out = Json::parse(json_report(run(), r, SiteTable()));
  EXPECT_EQ(out["verdict"], "verified");
  EXPECT_EQ(out["executions"], 6);
  EXPECT_EQ(out["errors"], Json::array());
}

TEST(JsonReport, OutputThatIsNotTextDoesNotBreakIt) {
  SiteTable sites;
  Result r = race(sites);
  r.findings[0].trace.output = "bad \xff byte";
  EXPECT_NO_THROW(Json::parse(json_report(run(), r, sites)));
}

}  // namespace
}  // namespace heddle
