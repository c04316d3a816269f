#include "core/suppression.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"

namespace heddle {
namespace {

Suppression pattern(const std::string& text) { return parse_suppressions("race:" + text, "s").at(0); }

TEST(Suppression, PartsOfNamesMatchUnlessAnchored) {
  EXPECT_TRUE(pattern("push").matches("queue::push"));
  EXPECT_TRUE(pattern("push").matches("queue::push_back"));
  EXPECT_TRUE(pattern("q*::push").matches("my::queue::push"));
  EXPECT_TRUE(pattern("^queue::*").matches("queue::push"));
  EXPECT_TRUE(pattern("^push$").matches("push"));
  EXPECT_FALSE(pattern("push$").matches("queue::push_back"));
  EXPECT_FALSE(pattern("^push").matches("queue::push"));
  EXPECT_FALSE(pattern("pop").matches("queue::push"));
  EXPECT_FALSE(pattern("p").matches(""));
}

TEST(Suppression, PlacesAreFunctionFileAndLineAlsoOfCallers) {
  SiteTable sites;
  const SiteId outer = sites.add({.file = "/src/main.c", .line = 30, .function = "worker"});
  const SiteId inner = sites.add({.file = "/src/queue.h", .line = 123, .function = "push", .caller = outer});
  const auto matches = [&](const char* text) { return pattern(text).matches(sites, inner); };
  EXPECT_TRUE(matches("push"));
  EXPECT_TRUE(matches("queue.h"));
  EXPECT_TRUE(matches("queue.h:123"));
  EXPECT_TRUE(matches("^/src/*:123$"));
  EXPECT_TRUE(matches("worker"));
  EXPECT_TRUE(matches("main.c:30"));
  EXPECT_FALSE(matches("queue.h:12"));
  EXPECT_FALSE(matches("queue.h:1230"));
  EXPECT_FALSE(matches("pop"));
  EXPECT_FALSE(pattern("worker").matches(sites, kNoSite));
}

std::string refusal(std::string_view text) {
  try {
    parse_suppressions(text, "file.supp");
  } catch (const UserError& e) {
    return e.what();
  }
  return "";
}

TEST(Suppression, CommentsAndEmptyLinesAreLeftOut) {
  const auto all = parse_suppressions("# one\n\n  \t\r\n  race: a \r\n#\nrace:b", "f");
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].pattern, "a");
  EXPECT_EQ(all[0].line, 4u);
  EXPECT_EQ(all[1].pattern, "b");
  EXPECT_EQ(all[1].line, 6u);
  EXPECT_TRUE(parse_suppressions("", "f").empty());
}

TEST(Suppression, WrongLinesAreRefusedWithTheirPlace) {
  EXPECT_TRUE(refusal("race:a\nmutex:b\n").starts_with("file.supp:2: mutex:b is no suppression"));
  EXPECT_TRUE(refusal("\n\nrace:\n").starts_with("file.supp:3: race: needs a pattern"));
  EXPECT_TRUE(refusal("race:*").starts_with("file.supp:1: race: needs a pattern"));
  EXPECT_TRUE(refusal("race:a^b").starts_with("file.supp:1: ^ may only stand"));
  EXPECT_TRUE(refusal("race:a$b").starts_with("file.supp:1: ^ may only stand"));
  EXPECT_TRUE(refusal("race:f(int)").starts_with("file.supp:1: names of functions have no parameters"));
  EXPECT_EQ(refusal("race:(anonymous namespace)::f\nrace:F::operator()"), "");
  EXPECT_EQ(refusal("race:a"), "");
}

}  // namespace
}  // namespace heddle
