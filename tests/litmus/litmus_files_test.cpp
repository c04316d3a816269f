// Each file of this folder under each model: the explorer finds exactly the expected states, so does brute force over
// the literal axioms, and the outcome of the condition is reachable where the author of the file said so.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>

#include "litmus/litmus_file.hpp"
#include "litmus/read.hpp"

namespace heddle::litmus {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> names(std::string_view extension) {
  std::vector<std::string> out;
  for (const auto& entry : fs::directory_iterator(HEDDLE_LITMUS_DIR)) {
    if (entry.path().extension() == extension) out.push_back(entry.path().stem().string());
  }
  std::sort(out.begin(), out.end());
  return out;
}

class LitmusFiles : public testing::TestWithParam<std::tuple<std::string, ModelKind>> {};

TEST_P(LitmusFiles, HasExactlyTheExpectedStates) {
  const auto& [stem, model] = GetParam();
  const fs::path path = fs::path(HEDDLE_LITMUS_DIR) / (stem + ".litmus");
  const std::string text = read_text(path);
  const Litmus litmus = parse(text, path.string());
  EXPECT_EQ(litmus.name, stem);

  const ByModel expected = parse_expected(read_text(fs::path(path).replace_extension(".expected")));
  const Found oracle = by_brute_force(litmus, model);
  EXPECT_EQ(oracle.states, of(expected, model)) << "by brute force over the axioms";
  EXPECT_EQ(oracle.reachable, allowed(text).contains(model)) << "of the allowed line";
  for (const Algorithm algorithm : kAlgorithms) {
    if (!why_not(algorithm, model).empty()) continue;
    const Found explored = by_explorer(litmus, model, algorithm);
    EXPECT_EQ(explored.states, of(expected, model)) << "by " << name(algorithm);
    EXPECT_EQ(explored.reachable, oracle.reachable);
  }
}

std::string test_name(const testing::TestParamInfo<LitmusFiles::ParamType>& info) {
  std::string out = std::get<0>(info.param);
  std::replace_if(out.begin(), out.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return out + "_" + std::string(name(std::get<1>(info.param)));
}

INSTANTIATE_TEST_SUITE_P(All, LitmusFiles,
                         testing::Combine(testing::ValuesIn(names(".litmus")), testing::ValuesIn(kModels)), test_name);

TEST(LitmusFolder, HasBothFilesOfEachTest) {
  EXPECT_FALSE(names(".litmus").empty());
  EXPECT_EQ(names(".litmus"), names(".expected"));
}

TEST(LitmusFolder, GroupsModelsWithTheSameStates) {
  for (const std::string& stem : names(".expected")) {
    const std::string text = read_text(fs::path(HEDDLE_LITMUS_DIR) / (stem + ".expected"));
    EXPECT_EQ(print_expected(parse_expected(text)), text) << stem;
  }
}

}  // namespace
}  // namespace heddle::litmus
