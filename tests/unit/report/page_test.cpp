#include "report/page.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "report/page_data.hpp"
#include "unit/report/samples.hpp"

namespace heddle {
namespace {

using namespace samples;
using PageData = nlohmann::json;

std::size_t count_of(const std::string& text, const std::string& what) {
  std::size_t n = 0;
  for (std::size_t at = text.find(what); at != text.npos; at = text.find(what, at + 1)) ++n;
  return n;
}

TEST(Page, HasAllThatItNeeds) {
  SiteTable sites;
  const std::string page = page_report(run(), race(sites), sites);
  EXPECT_TRUE(page.starts_with("<!DOCTYPE html>\n"));
  EXPECT_TRUE(page.ends_with("</html>\n"));
  EXPECT_EQ(count_of(page, "<script"), 2u);
  EXPECT_EQ(count_of(page, "</script"), 2u);
  EXPECT_EQ(page.find("http://"), page.find("http://www.w3.org/2000/svg"));  // a name, not an address
  EXPECT_EQ(page.find("https://"), page.npos);
  EXPECT_EQ(page.find("@import"), page.npos);
  EXPECT_EQ(page.find("src="), page.npos);
  for (const char* left : {"@TITLE@", "@STYLE@", "@PLAIN@", "@DATA@", "@SCRIPT@"})
    EXPECT_EQ(page.find(left), page.npos);
  EXPECT_NE(page.find("<title>mp.c: error: data race (rc11, spore)</title>"), page.npos);
}

TEST(Page, NothingOfTheProgramIsTakenForHtml) {
  SiteTable sites;
  Result result = race(sites);
  const std::string evil = "</script><script>alert(1)</script><!-- @SCRIPT@ \xff";
  result.findings[0].trace.output = evil;
  result.findings[0].error.message = evil;
  result.findings[0].trace.steps[2].location = evil;
  RunInfo info = run();
  info.command = evil;
  info.files = {evil};
  const std::string page = page_report(info, result, sites);
  EXPECT_EQ(count_of(page, "<script"), 2u);
  EXPECT_EQ(count_of(page, "</script"), 2u);
  EXPECT_EQ(page.find("<!--"), page.npos);
  EXPECT_EQ(page.find('\xff'), page.npos);
  EXPECT_EQ(PageData::parse(page_data(info, result, sites))["command"].get<std::string>().substr(0, 9), "</script>");
}

TEST(PageData, AnExecutionThatIsSavedIsRunAgainAsTheTextSays) {
  SiteTable sites;
  RunInfo info = run();
  info.replay = "heddle replay mp.saved";
  EXPECT_EQ(PageData::parse(page_data(info, race(sites), sites))["command"], info.replay);
}

TEST(PageData, HoldsTheExecution) {
  SiteTable sites;
  const PageData data = PageData::parse(page_data(run(), race(sites), sites));
  EXPECT_EQ(data["verdict"], "error");
  EXPECT_EQ(data["headline"], "data race");
  EXPECT_EQ(data["command"], "heddle check mp.c");
  const PageData& finding = data["findings"][0];
  EXPECT_EQ(finding["message"], "data race on data");
  EXPECT_EQ(finding["at"]["text"], "mp.c:15:3");
  EXPECT_EQ(finding["other"]["line"], 8);
  EXPECT_EQ(finding["why"].size(), 2u);
  EXPECT_EQ(finding["output"], "hello\nworld\n");
  EXPECT_EQ(finding["threads"][1], (PageData{{"name", "T1"}, {"function", "producer"}}));
  ASSERT_EQ(finding["steps"].size(), 5u);
  const PageData& read = finding["steps"][3];
  EXPECT_EQ(read["what"], "read(acq)");
  EXPECT_EQ(read["on"], "flag = 1");
  EXPECT_EQ(read["from"], "← T1 line 9");
  EXPECT_EQ(read["rf"], 2);
  EXPECT_EQ(read["synchronises"], false);
  EXPECT_EQ(finding["steps"][4]["kind"], "failure");
  EXPECT_EQ(finding["edges"]["rf"], PageData::parse("[[2, 3]]"));
  EXPECT_EQ(finding["edges"]["po"].back(), PageData::parse("[3, 4]"));  // to the failure
  EXPECT_EQ(finding["locations"][0]["name"], "flag");
}

TEST(PageData, WhoWaitsForEverIsNotToldTwice) {
  SiteTable sites;
  const PageData finding = PageData::parse(page_data(run(), deadlock(sites), sites))["findings"][0];
  ASSERT_EQ(finding["steps"].size(), 5u);
  EXPECT_EQ(finding["stuck"], true);
  EXPECT_EQ(finding["steps"][2]["waiting"], "waits for ever");
  EXPECT_EQ(finding["steps"][4]["what"], "join");
  EXPECT_EQ(finding["locations"][0]["initial"], "0");
}

// 1000 lines, of which two matter.
TEST(PageData, OfALargeFileOnlyWhatIsNear) {
  const std::string file = testing::TempDir() + "heddle_page_large.c";
  {
    std::ofstream out(file);
    for (int i = 1; i <= 1000; ++i) out << "line " << i << "\n";
  }
  SiteTable sites;
  Result result = race(sites);
  result.findings[0].error.site = at(sites, 500, 1, file);
  result.findings[0].error.other_site = at(sites, 2, 1, file);
  const PageData sources = PageData::parse(page_data(run(), result, sites))["sources"];
  ASSERT_EQ(sources.size(), 2u);
  EXPECT_TRUE(sources[1]["parts"].empty());  // mp.c is not there
  const PageData& parts = sources[0]["parts"];
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[0]["from"], 1);
  EXPECT_EQ(parts[0]["lines"].size(), 14u);
  EXPECT_EQ(parts[1]["from"], 488);
  EXPECT_EQ(parts[1]["lines"].front(), "line 488");
  EXPECT_EQ(parts[1]["lines"].back(), "line 512");
}

TEST(PageData, OfALongExecutionTheEnd) {
  SiteTable sites;
  Result result = race(sites);
  Trace& trace = result.findings[0].trace;
  for (int i = 0; i < 2500; ++i)
    trace.steps.push_back(read(ThreadId(2), "flag", kFlag, 1, Mode::acq, kNoSite, i < 2400 ? 2 : 2000));
  const PageData finding = PageData::parse(page_data(run(), result, sites))["findings"][0];
  EXPECT_EQ(finding["left_out"], 504);
  EXPECT_EQ(finding["steps"].size(), 2001u);
  EXPECT_EQ(finding["steps"][0]["rf"], -2);
  EXPECT_EQ(finding["steps"][1999]["rf"], 2000 - 504);
  for (const PageData& edge : finding["edges"]["po"]) EXPECT_LT(edge[1].get<std::size_t>(), 2001u);
}

TEST(PageData, WithoutAnErrorTheCounts) {
  Result result;
  result.executions = 6;
  const PageData data = PageData::parse(page_data(run(), result, {}));
  EXPECT_EQ(data["verdict"], "verified");
  EXPECT_EQ(data["headline"], "no error in any of 6 executions");
  EXPECT_EQ(data["executions"], 6);
  EXPECT_TRUE(data["findings"].empty());
}

TEST(PageData, WithoutAVerdictTheReason) {
  const PageData data = PageData::parse(page_failure_data(run(), "failed", "mp.c: no such file"));
  EXPECT_EQ(data["verdict"], "failed");
  EXPECT_EQ(data["headline"], "mp.c: no such file");
  EXPECT_NE(page_failure(run(), "failed", "a < b").find("failed: a &lt; b"), std::string::npos);
}

}  // namespace
}  // namespace heddle
