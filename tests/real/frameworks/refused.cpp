// $ heddle test refused.cpp => exit 2, "no tests found"
// $ heddle test refused.cpp -- -DDEATH => exit 2, "EXPECT_DEATH is not supported"
// $ heddle test refused.cpp -- -DTHAT => exit 2, "EXPECT_THAT is not supported"
// $ heddle test refused.cpp -- -DMOCK => exit 2, "heddle has no gmock"
// $ heddle test refused.cpp -- -DGENERATED => exit 2, "GENERATE is not supported"
// $ heddle test refused.cpp -- -DWRONG => exit 2, "clang could not compile"
// $ heddle test no_such_file.cpp => exit 2, "no such file"
// $ heddle test --filter => exit 2
// $ heddle test --print-ir refused.cpp => exit 2, "--print-ir is not an option of test"
// $ heddle check --list refused.cpp => exit 2, "--list is not an option of check"
// $ heddle test refused.cpp -- -DBEFORE => error assertion here, 1 tests
// $ heddle test refused.cpp -- -DFEW => error assertion, "TEST_P without INSTANTIATE_TEST_SUITE_P"
// What `heddle test` refuses, and errors that come before the tests.
#include <cassert>
#ifdef MOCK
#include <gmock/gmock.h>
#endif
#ifdef GENERATED
#include <catch2/catch_all.hpp>
TEST_CASE("generated") { const int n = GENERATE(1, 2); }
#endif
#if defined(DEATH) || defined(THAT) || defined(FEW)
#include <gtest/gtest.h>
#endif
#ifdef DEATH
TEST(Some, Death) { EXPECT_DEATH(1, ""); }
#endif
#ifdef THAT
TEST(Some, That) { EXPECT_THAT(1, Eq(1)); }
#endif
#ifdef FEW
class Few : public ::testing::TestWithParam<int> {};
TEST_P(Few, Instances) {}
#endif
#ifdef WRONG
TEST
#endif
#ifdef BEFORE
    static int
    fails() {
  assert(!"too early");  // here
  return 1;
}
static int early = fails();
#endif
int unused;
