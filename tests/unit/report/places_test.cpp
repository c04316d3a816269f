#include "report/places.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "report/json.hpp"
#include "report/sarif.hpp"
#include "unit/report/samples.hpp"

namespace heddle {
namespace {

SiteId add(SiteTable& sites, const char* file, unsigned line, const char* function, SiteId caller = kNoSite) {
  return sites.add({.file = file, .line = line, .function = function, .caller = caller});
}

// main (test.cpp:41) calls push, which calls publish (both in ring.hpp), which calls std::atomic's store.
SiteId publish(SiteTable& sites) {
  const SiteId main = add(sites, "/home/test.cpp", 41, "main");
  const SiteId push = add(sites, "/home/ring.hpp", 12, "Ring<int, 2U>::push<true>", main);
  const SiteId publish = add(sites, "/home/ring.hpp", 88, "Ring<int, 2U>::publish", push);
  return add(sites, "/usr/include/c++/12/bits/atomic_base.h", 400, "std::atomic<int>::store", publish);
}

TEST(Places, CallsIntoAnotherFile) {
  SiteTable sites;
  EXPECT_EQ(shown_calls(sites, publish(sites), "->"), "test.cpp:41 push -> ring.hpp:88 in publish");
}

TEST(Places, CallsInsideOfOneFileAreNone) {
  SiteTable sites;
  const SiteId outer = add(sites, "/home/test.cpp", 41, "main");
  const SiteId inner = add(sites, "/home/test.cpp", 12, "lock", outer);
  EXPECT_EQ(shown_calls(sites, inner, "->"), "");
  EXPECT_EQ(frames(sites, inner).size(), 2u);
  EXPECT_EQ(shown_calls(sites, kNoSite, "->"), "");
  EXPECT_TRUE(frames(sites, kNoSite).empty());
}

TEST(Places, OtherLibrariesBelongToTheCalls) {
  SiteTable sites;
  const SiteId start = add(sites, "/usr/include/c++/12/bits/invoke.h", 61, "std::__invoke_impl");
  const SiteId user = add(sites, "/home/test.cpp", 41, "main::{lambda}::operator()", start);
  const SiteId queue = add(sites, "/usr/include/boost/queue.hpp", 247, "boost::queue<int>::operator<<", user);
  const SiteId access = add(sites, "/usr/include/c++/12/bits/atomic_base.h", 400, "load", queue);
  EXPECT_EQ(shown_calls(sites, access, "->"), "test.cpp:41 operator<< -> queue.hpp:247");
}

TEST(Places, WhatIsAllOfTheLibrary) {
  SiteTable sites;
  const SiteId start = add(sites, "/usr/include/c++/12/bits/invoke.h", 61, "std::__invoke_impl");
  EXPECT_EQ(frames(sites, start).size(), 1u);
  EXPECT_EQ(shown_calls(sites, start, "->"), "");
}

TEST(Places, CallsInFormats) {
  SiteTable sites;
  Result result = samples::race(sites);
  const SiteId site = publish(sites);
  result.findings[0].error.site = result.findings[0].trace.steps[3].action.site = site;
  const auto json = nlohmann::json::parse(json_report(samples::run(), result, sites))["errors"][0];
  ASSERT_EQ(json["calls"].size(), 3u);
  EXPECT_EQ(json["calls"][0]["line"], 41);
  EXPECT_EQ(json["calls"][2]["function"], "Ring<int, 2U>::publish");
  EXPECT_EQ(json["trace"][3]["calls"].size(), 3u);
  EXPECT_FALSE(json["trace"][2].contains("calls"));
  const auto sarif = nlohmann::json::parse(sarif_report(samples::run(), result, sites))["runs"][0]["results"][0];
  const auto& frames = sarif["stacks"][0]["frames"];
  ASSERT_EQ(frames.size(), 3u);
  EXPECT_EQ(frames[0]["location"]["physicalLocation"]["region"]["startLine"], 88);
  EXPECT_EQ(frames[2]["location"]["physicalLocation"]["region"]["startLine"], 41);
}

}  // namespace
}  // namespace heddle
