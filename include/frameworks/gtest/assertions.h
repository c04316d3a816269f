// The assertions of GoogleTest. A failed one ends the execution, so that ASSERT_ and EXPECT_ are the same.
// Included by gtest.h.
#pragma once
#pragma GCC system_header

#define EXPECT_TRUE(condition) \
  HEDDLE_TEST_ASSERT(::testing::internal::truth("EXPECT_TRUE", #condition, true, (condition)))
#define ASSERT_TRUE(condition) \
  HEDDLE_TEST_ASSERT(::testing::internal::truth("ASSERT_TRUE", #condition, true, (condition)))

#define EXPECT_FALSE(condition) \
  HEDDLE_TEST_ASSERT(::testing::internal::truth("EXPECT_FALSE", #condition, false, (condition)))
#define ASSERT_FALSE(condition) \
  HEDDLE_TEST_ASSERT(::testing::internal::truth("ASSERT_FALSE", #condition, false, (condition)))

#define EXPECT_EQ(a, b) HEDDLE_TEST_ASSERT(::testing::internal::eq("EXPECT_EQ", #a, #b, a, b))
#define ASSERT_EQ(a, b) HEDDLE_TEST_ASSERT(::testing::internal::eq("ASSERT_EQ", #a, #b, a, b))

#define EXPECT_NE(a, b) HEDDLE_TEST_ASSERT(::testing::internal::ne("EXPECT_NE", #a, #b, a, b))
#define ASSERT_NE(a, b) HEDDLE_TEST_ASSERT(::testing::internal::ne("ASSERT_NE", #a, #b, a, b))

#define EXPECT_LT(a, b) HEDDLE_TEST_ASSERT(::testing::internal::lt("EXPECT_LT", #a, #b, a, b))
#define ASSERT_LT(a, b) HEDDLE_TEST_ASSERT(::testing::internal::lt("ASSERT_LT", #a, #b, a, b))

#define EXPECT_LE(a, b) HEDDLE_TEST_ASSERT(::testing::internal::le("EXPECT_LE", #a, #b, a, b))
#define ASSERT_LE(a, b) HEDDLE_TEST_ASSERT(::testing::internal::le("ASSERT_LE", #a, #b, a, b))

#define EXPECT_GT(a, b) HEDDLE_TEST_ASSERT(::testing::internal::gt("EXPECT_GT", #a, #b, a, b))
#define ASSERT_GT(a, b) HEDDLE_TEST_ASSERT(::testing::internal::gt("ASSERT_GT", #a, #b, a, b))

#define EXPECT_GE(a, b) HEDDLE_TEST_ASSERT(::testing::internal::ge("EXPECT_GE", #a, #b, a, b))
#define ASSERT_GE(a, b) HEDDLE_TEST_ASSERT(::testing::internal::ge("ASSERT_GE", #a, #b, a, b))

#define EXPECT_STREQ(a, b) HEDDLE_TEST_ASSERT(::testing::internal::texts("EXPECT_STREQ", #a, #b, true, false, a, b))
#define ASSERT_STREQ(a, b) HEDDLE_TEST_ASSERT(::testing::internal::texts("ASSERT_STREQ", #a, #b, true, false, a, b))

#define EXPECT_STRNE(a, b) HEDDLE_TEST_ASSERT(::testing::internal::texts("EXPECT_STRNE", #a, #b, false, false, a, b))
#define ASSERT_STRNE(a, b) HEDDLE_TEST_ASSERT(::testing::internal::texts("ASSERT_STRNE", #a, #b, false, false, a, b))

#define EXPECT_STRCASEEQ(a, b) \
  HEDDLE_TEST_ASSERT(::testing::internal::texts("EXPECT_STRCASEEQ", #a, #b, true, true, a, b))
#define ASSERT_STRCASEEQ(a, b) \
  HEDDLE_TEST_ASSERT(::testing::internal::texts("ASSERT_STRCASEEQ", #a, #b, true, true, a, b))

#define EXPECT_STRCASENE(a, b) \
  HEDDLE_TEST_ASSERT(::testing::internal::texts("EXPECT_STRCASENE", #a, #b, false, true, a, b))
#define ASSERT_STRCASENE(a, b) \
  HEDDLE_TEST_ASSERT(::testing::internal::texts("ASSERT_STRCASENE", #a, #b, false, true, a, b))

#define EXPECT_FLOAT_EQ(a, b) \
  HEDDLE_TEST_ASSERT(::testing::internal::almost<float, std::uint32_t>("EXPECT_FLOAT_EQ", #a, #b, a, b))
#define ASSERT_FLOAT_EQ(a, b) \
  HEDDLE_TEST_ASSERT(::testing::internal::almost<float, std::uint32_t>("ASSERT_FLOAT_EQ", #a, #b, a, b))

#define EXPECT_DOUBLE_EQ(a, b) \
  HEDDLE_TEST_ASSERT(::testing::internal::almost<double, std::uint64_t>("EXPECT_DOUBLE_EQ", #a, #b, a, b))
#define ASSERT_DOUBLE_EQ(a, b) \
  HEDDLE_TEST_ASSERT(::testing::internal::almost<double, std::uint64_t>("ASSERT_DOUBLE_EQ", #a, #b, a, b))

#define EXPECT_NEAR(a, b, bound) HEDDLE_TEST_ASSERT(::testing::internal::near("EXPECT_NEAR", #a, #b, a, b, bound))
#define ASSERT_NEAR(a, b, bound) HEDDLE_TEST_ASSERT(::testing::internal::near("ASSERT_NEAR", #a, #b, a, b, bound))

#define EXPECT_THROW(statement, type) \
  HEDDLE_TEST_ASSERT(HEDDLE_TEST_THROWS("EXPECT_THROW", statement, type, #statement, #type))
#define ASSERT_THROW(statement, type) \
  HEDDLE_TEST_ASSERT(HEDDLE_TEST_THROWS("ASSERT_THROW", statement, type, #statement, #type))

#define EXPECT_ANY_THROW(statement) HEDDLE_TEST_ASSERT(HEDDLE_TEST_THROWS_ANY("EXPECT_ANY_THROW", statement))
#define ASSERT_ANY_THROW(statement) HEDDLE_TEST_ASSERT(HEDDLE_TEST_THROWS_ANY("ASSERT_ANY_THROW", statement))

#define EXPECT_NO_THROW(statement) HEDDLE_TEST_ASSERT(HEDDLE_TEST_THROWS_NOTHING("EXPECT_NO_THROW", statement))
#define ASSERT_NO_THROW(statement) HEDDLE_TEST_ASSERT(HEDDLE_TEST_THROWS_NOTHING("ASSERT_NO_THROW", statement))

#define EXPECT_PRED1(f, v1) HEDDLE_TEST_ASSERT(::testing::internal::predicate("EXPECT_PRED1", #f, f, v1))
#define ASSERT_PRED1(f, v1) HEDDLE_TEST_ASSERT(::testing::internal::predicate("ASSERT_PRED1", #f, f, v1))

#define EXPECT_PRED2(f, v1, v2) HEDDLE_TEST_ASSERT(::testing::internal::predicate("EXPECT_PRED2", #f, f, v1, v2))
#define ASSERT_PRED2(f, v1, v2) HEDDLE_TEST_ASSERT(::testing::internal::predicate("ASSERT_PRED2", #f, f, v1, v2))

#define EXPECT_PRED3(f, v1, v2, v3) \
  HEDDLE_TEST_ASSERT(::testing::internal::predicate("EXPECT_PRED3", #f, f, v1, v2, v3))
#define ASSERT_PRED3(f, v1, v2, v3) \
  HEDDLE_TEST_ASSERT(::testing::internal::predicate("ASSERT_PRED3", #f, f, v1, v2, v3))

#define EXPECT_PRED4(f, v1, v2, v3, v4) \
  HEDDLE_TEST_ASSERT(::testing::internal::predicate("EXPECT_PRED4", #f, f, v1, v2, v3, v4))
#define ASSERT_PRED4(f, v1, v2, v3, v4) \
  HEDDLE_TEST_ASSERT(::testing::internal::predicate("ASSERT_PRED4", #f, f, v1, v2, v3, v4))

#define EXPECT_NO_FATAL_FAILURE(statement) \
  HEDDLE_TEST_ASSERT([&] {                 \
    statement;                             \
    return ::heddle_test::Outcome();       \
  }())
#define ASSERT_NO_FATAL_FAILURE(statement) \
  HEDDLE_TEST_ASSERT([&] {                 \
    statement;                             \
    return ::heddle_test::Outcome();       \
  }())

#define SUCCEED() ::heddle_test::Nothing{} = ::heddle_test::Message()
#define GTEST_SUCCEED() SUCCEED()
#define FAIL() ::heddle_test::Failure{"FAIL()"} = ::heddle_test::Message()
#define GTEST_FAIL() FAIL()
#define ADD_FAILURE() ::heddle_test::Failure{"ADD_FAILURE()"} = ::heddle_test::Message()
#define ADD_FAILURE_AT(file, line) ADD_FAILURE() << file << ":" << line << ": "
#define GTEST_SKIP() return ::testing::internal::Skip{} = ::heddle_test::Message()
#define SCOPED_TRACE(text) \
  const ::testing::ScopedTrace HEDDLE_TEST_JOIN(heddle_test_trace_, __LINE__)(__FILE__, __LINE__, text)

// What heddle does not have is refused where it is used.
#define HEDDLE_TEST_REFUSED(what) static_assert(!sizeof(what), what)

#define EXPECT_THAT(...) \
  HEDDLE_TEST_REFUSED("heddle test: EXPECT_THAT is not supported: compare with EXPECT_EQ and its like")
#define ASSERT_THAT(...) \
  HEDDLE_TEST_REFUSED("heddle test: ASSERT_THAT is not supported: compare with EXPECT_EQ and its like")
#define EXPECT_DEATH(...) \
  HEDDLE_TEST_REFUSED(    \
      "heddle test: EXPECT_DEATH is not supported: there is one process, and its end is the end of the execution")
#define ASSERT_DEATH(...) \
  HEDDLE_TEST_REFUSED(    \
      "heddle test: ASSERT_DEATH is not supported: there is one process, and its end is the end of the execution")
#define EXPECT_EXIT(...) \
  HEDDLE_TEST_REFUSED(   \
      "heddle test: EXPECT_EXIT is not supported: there is one process, and its end is the end of the execution")
#define ASSERT_EXIT(...) \
  HEDDLE_TEST_REFUSED(   \
      "heddle test: ASSERT_EXIT is not supported: there is one process, and its end is the end of the execution")
#define EXPECT_DEATH_IF_SUPPORTED(...)                                                                                \
  HEDDLE_TEST_REFUSED(                                                                                                \
      "heddle test: EXPECT_DEATH_IF_SUPPORTED is not supported: there is one process, and its end is the end of the " \
      "execution")
#define ASSERT_DEATH_IF_SUPPORTED(...)                                                                                \
  HEDDLE_TEST_REFUSED(                                                                                                \
      "heddle test: ASSERT_DEATH_IF_SUPPORTED is not supported: there is one process, and its end is the end of the " \
      "execution")
#define EXPECT_PRED_FORMAT1(...) \
  HEDDLE_TEST_REFUSED("heddle test: EXPECT_PRED_FORMAT1 is not supported: use EXPECT_TRUE with an AssertionResult")
#define EXPECT_PRED_FORMAT2(...) \
  HEDDLE_TEST_REFUSED("heddle test: EXPECT_PRED_FORMAT2 is not supported: use EXPECT_TRUE with an AssertionResult")
#define ASSERT_PRED_FORMAT1(...) \
  HEDDLE_TEST_REFUSED("heddle test: ASSERT_PRED_FORMAT1 is not supported: use EXPECT_TRUE with an AssertionResult")
#define ASSERT_PRED_FORMAT2(...) \
  HEDDLE_TEST_REFUSED("heddle test: ASSERT_PRED_FORMAT2 is not supported: use EXPECT_TRUE with an AssertionResult")
#define EXPECT_FATAL_FAILURE(...) \
  HEDDLE_TEST_REFUSED("heddle test: EXPECT_FATAL_FAILURE is not supported: a failure ends the execution")
#define EXPECT_NONFATAL_FAILURE(...) \
  HEDDLE_TEST_REFUSED("heddle test: EXPECT_NONFATAL_FAILURE is not supported: a failure ends the execution")
#define TYPED_TEST_SUITE_P(...) HEDDLE_TEST_REFUSED("heddle test: TYPED_TEST_SUITE_P is not supported: use TYPED_TEST")
#define TYPED_TEST_P(...) HEDDLE_TEST_REFUSED("heddle test: TYPED_TEST_P is not supported: use TYPED_TEST")
#define REGISTER_TYPED_TEST_SUITE_P(...) \
  HEDDLE_TEST_REFUSED("heddle test: REGISTER_TYPED_TEST_SUITE_P is not supported: use TYPED_TEST")
#define INSTANTIATE_TYPED_TEST_SUITE_P(...) \
  HEDDLE_TEST_REFUSED("heddle test: INSTANTIATE_TYPED_TEST_SUITE_P is not supported: use TYPED_TEST")
