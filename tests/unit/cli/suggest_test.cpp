#include "cli/suggest.hpp"

#include <gtest/gtest.h>

namespace heddle::cli {
namespace {

TEST(Suggest, EditDistance) {
  EXPECT_EQ(edit_distance("", ""), 0u);
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("abc", ""), 3u);
  EXPECT_EQ(edit_distance("unrol", "unroll"), 1u);
  EXPECT_EQ(edit_distance("modle", "model"), 1u);  // swapped
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
  EXPECT_EQ(edit_distance("same", "same"), 0u);
}

TEST(Suggest, TheNearest) {
  const std::vector<std::string_view> known = {"sc", "tso", "pso", "rc11", "wrc11", "max-executions"};
  EXPECT_EQ(nearest("rc1", known), "rc11");
  EXPECT_EQ(nearest("rc111", known), "rc11");
  EXPECT_EQ(nearest("sx", known), "sc");
  EXPECT_EQ(nearest("max", known), "max-executions");  // the start of one
  EXPECT_EQ(nearest("power", known), "");
  EXPECT_EQ(nearest("", known), "");
  EXPECT_EQ(nearest("x", known), "");
  EXPECT_EQ(did_you_mean("rc1", known), " (did you mean rc11?)");
  EXPECT_EQ(did_you_mean("max-execution", known, "--"), " (did you mean --max-executions?)");
  EXPECT_EQ(did_you_mean("power", known), "");
}

}  // namespace
}  // namespace heddle::cli
