#include "cli/filter.hpp"

#include <gtest/gtest.h>

namespace heddle::cli {
namespace {

TEST(Filter, StarsAndQuestionMarks) {
  EXPECT_TRUE(fits_pattern("Queue.Push", "Queue.Push"));
  EXPECT_TRUE(fits_pattern("Queue.Push", "Queue.*"));
  EXPECT_TRUE(fits_pattern("Queue.Push", "*.Push"));
  EXPECT_TRUE(fits_pattern("Queue.Push", "*"));
  EXPECT_TRUE(fits_pattern("Queue.Push", "*u*u*"));
  EXPECT_TRUE(fits_pattern("Queue.Push", "Q????.P*sh**"));
  EXPECT_TRUE(fits_pattern("", "*"));
  EXPECT_TRUE(fits_pattern("aab", "*ab"));
  EXPECT_FALSE(fits_pattern("Queue.Push", "Queue"));
  EXPECT_FALSE(fits_pattern("Queue.Push", "Queue.Push?"));
  EXPECT_FALSE(fits_pattern("Queue.Push", "*.Pop"));
  EXPECT_FALSE(fits_pattern("Queue.Push", ""));
  EXPECT_FALSE(fits_pattern("", "?"));
}

TEST(Filter, OnePatternIsEnough) {
  const Filter filter("Queue.*:Stack.Pop");
  EXPECT_TRUE(filter.chooses("Queue.Push"));
  EXPECT_TRUE(filter.chooses("Stack.Pop"));
  EXPECT_FALSE(filter.chooses("Stack.Push"));
}

TEST(Filter, WhatFollowsTheMinusIsLeftOut) {
  const Filter some("Queue.*-*Slow*:*Big*");
  EXPECT_TRUE(some.chooses("Queue.Push"));
  EXPECT_FALSE(some.chooses("Queue.SlowPush"));
  EXPECT_FALSE(some.chooses("Queue.BigPush"));
  EXPECT_FALSE(some.chooses("Stack.Push"));
  const Filter all("-*Slow*");
  EXPECT_TRUE(all.chooses("Stack.Push"));
  EXPECT_FALSE(all.chooses("Stack.SlowPush"));
}

TEST(Filter, NothingChoosesAll) { EXPECT_TRUE(Filter("").chooses("Queue.Push")); }

TEST(Filter, APatternMayBeAName) {
  const Filter filter("Queue.*:Stack.Pop");
  EXPECT_TRUE(filter.names("Stack.Pop"));
  EXPECT_FALSE(filter.names("Queue.Push"));
}

}  // namespace
}  // namespace heddle::cli
