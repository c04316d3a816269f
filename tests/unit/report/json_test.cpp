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

TEST(JsonReport, HasTheWarningsOfTheRun) {
  RunInfo info = run();
  EXPECT_TRUE(Json::parse(json_report(info, {}, {}))["warnings"].empty());
  info.warnings = {"assert() checks nothing"};
  EXPECT_EQ(Json::parse(json_report(info, {}, {}))["warnings"][0], info.warnings[0]);
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

TEST(JsonReport, AnErrorHasTheReasonsThatTheTextHas) {
  SiteTable sites;
  const Json error = Json::parse(json_report(run(), race(sites), sites))["errors"][0];
  ASSERT_EQ(error["why"].size(), 2u);
  EXPECT_EQ(error["why"][0], "these two accesses are not ordered by happens-before: T1 line 8 and T2 line 15");
}

// Numbers have the sign of their type. What a person is shown instead of the number stands beside it.
TEST(JsonReport, ValuesAreOfTheirType) {
  using Kind = ValueType::Kind;
  SiteTable sites;
  const auto written = [&](uint64_t bits, uint8_t size, ValueType type) {
    Result r = race(sites);
    TraceStep& step = r.findings[0].trace.steps[2];
    step.action.size = size;
    step.written = Value{bits, 0};
    step.type = std::move(type);
    Json out = Json::parse(json_report(run(), r, sites))["errors"][0]["trace"][2];
    return out["written"].dump() + (out.contains("written_as") ? " " + out["written_as"].get<std::string>() : "");
  };
  EXPECT_EQ(written(0xfffffff9, 4, {Kind::integer}), "-7");
  EXPECT_EQ(written(0xfffffff9, 4, {}), "-7");
  EXPECT_EQ(written(4000000000, 4, {Kind::integer, true}), "4000000000");
  EXPECT_EQ(written(0xc002000000000000, 8, {Kind::floating}), "-2.25");
  EXPECT_EQ(written(0x7ff0000000000000, 8, {Kind::floating}), "\"inf\"");
  EXPECT_EQ(written(1, 1, {Kind::boolean}), "1 true");
  EXPECT_EQ(written(5, 4, {Kind::enumeration, false, {{5, "green"}}}), "5 green");
  EXPECT_EQ(written(200, 1, {Kind::enumeration, true, {{200, "most"}}}), "200 most");
  EXPECT_EQ(written(kFlag, 8, {}), std::to_string(kFlag) + " &flag");
  EXPECT_EQ(written(~0ull, 8, {Kind::integer, true}), "\"0xffffffffffffffff\"");
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
