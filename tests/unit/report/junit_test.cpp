#include "report/junit.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "report/json.hpp"
#include "report/text.hpp"
#include "unit/report/samples.hpp"

namespace heddle {
namespace {

TEST(Junit, Escapes) {
  EXPECT_EQ(escaped_xml("a < b && c > \"d\"\r\n\t"), "a &lt; b &amp;&amp; c &gt; &quot;d&quot;&#13;\n\t");
  EXPECT_EQ(escaped_xml("größer ← 𝄞"), "größer ← 𝄞");
}

TEST(Junit, ReplacesWhatXmlDoesNotAllow) {
  const std::string replaced =
      "a\xef\xbf\xbd"
      "b";
  EXPECT_EQ(escaped_xml(std::string_view("a\0b", 3)), replaced);
  EXPECT_EQ(escaped_xml("a\x1b"
                        "b"),
            replaced);
  EXPECT_EQ(escaped_xml("a\xff"
                        "b"),
            replaced);
  EXPECT_EQ(escaped_xml("a\xc3"
                        "b"),
            replaced);                                                         // cut short
  EXPECT_EQ(escaped_xml("a\xc3"), "a\xef\xbf\xbd");                            // at the end
  EXPECT_EQ(escaped_xml("\xc0\xaf"), "\xef\xbf\xbd\xef\xbf\xbd");              // longer than need be
  EXPECT_EQ(escaped_xml("\xed\xa0\x80").find("\xed\xa0"), std::string::npos);  // half of a pair
  EXPECT_EQ(escaped_xml("\xef\xbf\xbf").find("\xef\xbf\xbf"), std::string::npos);
}

TestReport sample(const char* name, const char* verdict) {
  TestReport test;
  test.name = name;
  test.file = "queue_test.cpp";
  test.line = 7;
  test.verdict = verdict;
  return test;
}

TEST(Junit, OneCaseForEachTest) {
  TestReport bad = sample("Queue.Lost<int>", "error");
  bad.kind = "assertion";
  bad.message = "EXPECT_EQ(a, b): 1 is not 2";
  bad.place = "queue_test.cpp:9";
  bad.text = "\x1b[1;31merror\x1b[0m: assertion failed\n";
  TestReport skipped = sample("Queue.Later", "skipped");
  skipped.message = "not today";
  const TestReport tests[] = {sample("Queue.Good", "verified"), bad, skipped, sample("Queue.Long", "incomplete")};
  RunInfo run;
  run.model = "sc";
  run.algorithm = "spore";
  const std::string xml = junit_report(run, tests);
  EXPECT_TRUE(
      xml.starts_with("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"heddle\" tests=\"4\" "
                      "failures=\"1\" errors=\"1\" skipped=\"1\" "))
      << xml;
  EXPECT_NE(xml.find("<testsuite name=\"queue_test.cpp\" tests=\"4\""), std::string::npos);
  EXPECT_NE(xml.find("<property name=\"model\" value=\"sc\"/>"), std::string::npos);
  EXPECT_NE(xml.find("<testcase name=\"Queue.Lost&lt;int&gt;\" classname=\"queue_test\" file=\"queue_test.cpp\" "
                     "line=\"7\""),
            std::string::npos)
      << xml;
  EXPECT_NE(xml.find("<failure type=\"assertion\" message=\"queue_test.cpp:9: EXPECT_EQ(a, b): 1 is not 2\">error: "
                     "assertion failed\n</failure>"),
            std::string::npos)
      << xml;
  EXPECT_NE(xml.find("<skipped message=\"not today\"/>"), std::string::npos);
  EXPECT_NE(xml.find("<error type=\"incomplete\""), std::string::npos);
  EXPECT_TRUE(xml.ends_with("</testsuites>\n"));
}

TEST(Junit, ACheckIsOneTest) {
  SiteTable sites;
  RunInfo run = samples::run();
  run.files = {"src/mp.c"};
  const Result result = samples::race(sites);
  const std::string xml = junit_check(run, json_report(run, result, sites), text_report(run, result, sites, {}));
  EXPECT_NE(xml.find("<testsuites name=\"heddle\" tests=\"1\" failures=\"1\" errors=\"0\""), std::string::npos) << xml;
  EXPECT_NE(xml.find("<testcase name=\"mp.c\" classname=\"src/mp\" file=\"src/mp.c\""), std::string::npos) << xml;
  EXPECT_NE(xml.find("<failure type=\"race\" message=\"mp.c:15: data race on data\">"), std::string::npos) << xml;
  EXPECT_EQ(xml.find(" line="), std::string::npos) << xml;  // it is the whole file
  const std::string failed = junit_check(run, json_failure(run, "failed", "no such file"), "no such file");
  EXPECT_NE(failed.find("<error type=\"failed\" message=\"no such file\">"), std::string::npos) << failed;
}

TEST(Junit, TheWorstVerdictIsThatOfAll) {
  const TestReport good = sample("a", "verified");
  const TestReport skipped = sample("b", "skipped");
  const TestReport incomplete = sample("c", "incomplete");
  const TestReport failed = sample("d", "failed");
  const TestReport bad = sample("e", "error");
  EXPECT_EQ(verdict_of(std::vector{good, skipped}), "verified");
  EXPECT_EQ(verdict_of(std::vector{skipped}), "verified");
  EXPECT_EQ(verdict_of(std::vector{good, incomplete}), "incomplete");
  EXPECT_EQ(verdict_of(std::vector{incomplete, failed}), "failed");
  EXPECT_EQ(verdict_of(std::vector{incomplete, failed, bad, good}), "error");
}

}  // namespace
}  // namespace heddle
