#include "redis/url.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "core/error.hpp"

namespace heddle::redis {
namespace {

TEST(RedisUrl, HasAHostAndAName) {
  const Url url = parse_url("redis://example.org/nightly-1.2_x");
  EXPECT_EQ(url.host, "example.org");
  EXPECT_EQ(url.port, 6379);
  EXPECT_EQ(url.database, 0u);
  EXPECT_EQ(url.name, "nightly-1.2_x");
  EXPECT_TRUE(url.user.empty());
}

TEST(RedisUrl, MayHaveMore) {
  const Url url = parse_url("redis://me:s%40c%2fret@[::1]:7000/a?db=3");
  EXPECT_EQ(url.user, "me");
  EXPECT_EQ(url.password, "s@c/ret");
  EXPECT_EQ(url.host, "::1");
  EXPECT_EQ(url.port, 7000);
  EXPECT_EQ(url.database, 3u);
  EXPECT_EQ(url.shown(), "redis://[::1]:7000/a");
  EXPECT_EQ(parse_url("redis://:only@h/a").password, "only");
}

TEST(RedisUrl, TakesThePasswordFromTheEnvironment) {
  setenv("HEDDLE_REDIS_PASSWORD", "hidden", 1);
  EXPECT_EQ(parse_url("redis://h/a").password, "hidden");
  EXPECT_EQ(parse_url("redis://:shown@h/a").password, "shown");
  unsetenv("HEDDLE_REDIS_PASSWORD");
}

TEST(RedisUrl, IsRefusedWithTheReason) {
  const auto why = [](const char* url) -> std::string {
    try {
      parse_url(url);
    } catch (const UserError& e) {
      return e.what();
    }
    return "accepted";
  };
  EXPECT_NE(why("rediss://h/a").find("no TLS"), std::string::npos);
  EXPECT_NE(why("http://h/a").find("begin with redis://"), std::string::npos);
  EXPECT_NE(why("redis://h").find("name of the queue is missing"), std::string::npos);
  EXPECT_NE(why("redis:///a").find("host is missing"), std::string::npos);
  for (const char* bad : {"redis://h:0/a", "redis://h:70000/a", "redis://h:x/a", "redis://[::1/a", "redis://h/",
                          "redis://h/a b", "redis://h/a{b}", "redis://h/a?x=1", "redis://h/a?db=", "redis://%zz:a@h/a"})
    EXPECT_NE(why(bad), "accepted") << bad;
  EXPECT_EQ(why("redis://u:secret@h:x/a").find("secret"), std::string::npos);
}

}  // namespace
}  // namespace heddle::redis
