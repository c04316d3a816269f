// $ heddle test --filter Good.*:*Values*:*Types* assertions.cpp => verified, 11 tests
// $ heddle test --filter Bad.* assertions.cpp => error assertion, as marked, 15 tests
// Each assertion of GoogleTest, once as it holds and once as it does not; parameters and types.
#include <gtest/gtest.h>

#include <map>
#include <stdexcept>
#include <string>
#include <vector>

static int one() { return 1; }
static ::testing::AssertionResult is_even(int n) {
  if (n % 2 == 0) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << n << " is odd";
}

struct Point {
  int x;
  bool operator==(const Point& other) const { return x == other.x; }
};
static std::ostream& operator<<(std::ostream& out, const Point& p) { return out << "x=" << p.x; }

TEST(Good, Comparisons) {
  EXPECT_EQ(one(), 1);
  ASSERT_EQ(1u, one()) << "with a message";
  EXPECT_NE(one(), 2);
  EXPECT_LT(one(), 2);
  EXPECT_LE(one(), 1);
  EXPECT_GT(one(), 0);
  EXPECT_GE(one(), 1);
  EXPECT_TRUE(is_even(2));
  EXPECT_FALSE(is_even(1)) << "odd";
  EXPECT_EQ(Point{1}, Point{1});
  EXPECT_EQ(nullptr, static_cast<int*>(nullptr));
  if (one() == 1)
    EXPECT_TRUE(true);
  else
    EXPECT_TRUE(false);
  EXPECT_PRED2([](int a, int b) { return a < b; }, 1, 2);
}

TEST(Good, StringsAndNumbers) {
  const std::string text = "ab";
  EXPECT_STREQ("ab", text.c_str());
  EXPECT_STRNE("ac", text.c_str());
  EXPECT_STRCASEEQ("AB", text.c_str());
  EXPECT_EQ(text, "ab");
  EXPECT_FLOAT_EQ(0.1f + 0.2f, 0.3f);
  EXPECT_DOUBLE_EQ(0.1 + 0.2, 0.3);
  EXPECT_NEAR(1.0, 1.1, 0.2);
}

TEST(Good, Exceptions) {
  EXPECT_THROW(throw std::runtime_error("x"), std::runtime_error);
  EXPECT_ANY_THROW(throw 1);
  EXPECT_NO_THROW(one());
  ASSERT_NO_FATAL_FAILURE(one());
  SUCCEED() << "fine";
}

class Doubled : public ::testing::TestWithParam<int> {};
TEST_P(Doubled, IsEven) { EXPECT_TRUE(is_even(2 * GetParam())); }
INSTANTIATE_TEST_SUITE_P(SomeValues, Doubled, ::testing::Values(1, 2, 3));
INSTANTIATE_TEST_SUITE_P(RangeOfValues, Doubled, ::testing::Range(0, 2),
                         [](const ::testing::TestParamInfo<int>& info) { return "n" + std::to_string(info.param); });

class Pairs : public ::testing::TestWithParam<std::tuple<bool, std::string>> {};
TEST_P(Pairs, AreThere) { EXPECT_EQ(std::get<1>(GetParam()).size(), 1u); }
static const char* const kLetters[] = {"a"};
INSTANTIATE_TEST_SUITE_P(CombinedValues, Pairs, ::testing::Combine(::testing::Bool(), ::testing::ValuesIn(kLetters)));

template <class T>
class AllTypes : public ::testing::Test {
 protected:
  T value_ = 1;
};
using Numbers = ::testing::Types<char>;
TYPED_TEST_SUITE(AllTypes, Numbers);
TYPED_TEST(AllTypes, HoldOne) { EXPECT_EQ(this->value_, TypeParam(1)); }

TEST(Bad, Eq) { EXPECT_EQ(one(), 2) << "text " << 3; }  // fails: EXPECT_EQ(one(), 2): 1 is not 2; text 3
TEST(Bad, Ne) { ASSERT_NE(one(), 1); }                  // fails: ASSERT_NE(one(), 1): 1 is equal to 1
TEST(Bad, Lt) { EXPECT_LT(one(), 1); }                  // fails: EXPECT_LT(one(), 1): 1 is not less than 1
TEST(Bad, True) { EXPECT_TRUE(one() == 2); }            // fails: EXPECT_TRUE(one() == 2): it is false
TEST(Bad, Result) { EXPECT_TRUE(is_even(3)); }          // fails: EXPECT_TRUE(is_even(3)): it is false, 3 is odd
TEST(Bad, Strings) {
  const std::string text = "ab";
  const char* const ac = "ac";
  EXPECT_STREQ(text.c_str(), ac);  // fails: EXPECT_STREQ(text.c_str(), ac): "ab" is not "ac"
}
TEST(Bad, Near) { EXPECT_NEAR(1.0, 1.5, 0.25); }       // fails: 1 and 1.5 differ by 0.5, more than 0.25
TEST(Bad, Float) { EXPECT_FLOAT_EQ(1.0f, 1.00001f); }  // fails: EXPECT_FLOAT_EQ(1.0f, 1.00001f): 1 is not 1.00001
TEST(Bad, Throw) { EXPECT_THROW(throw 1, std::runtime_error); }             // fails: it threw another exception
TEST(Bad, NoThrow) { EXPECT_NO_THROW(throw std::runtime_error("wrong")); }  // fails: it threw an exception: wrong
TEST(Bad, Nothing) { EXPECT_ANY_THROW(one()); }  // fails: EXPECT_ANY_THROW(one()): it threw nothing
TEST(Bad, Trace) {
  for (int i = 0; i < 3; ++i) {
    SCOPED_TRACE("round " + std::to_string(i));
    EXPECT_EQ(i, 0);  // fails: EXPECT_EQ(i, 0): 1 is not 0; trace of line
  }
}
TEST(Bad, Printed) {
  const std::map<int, int> full = {{1, 2}, {3, 4}};
  const std::map<int, int> empty;
  EXPECT_EQ(full, empty);  // fails: {(1, 2), (3, 4)} is not {}
}
TEST(Bad, Fatal) { FAIL() << "why"; }                       // fails: FAIL(); why
TEST(Bad, Uncaught) { throw std::runtime_error("wrong"); }  // fails: wrong
