// The tests of a program that uses a test framework (include/frameworks): which there are, and which one is to run.
#pragma once

#include <string>
#include <vector>

namespace heddle::library {

struct TestCase {
  std::string name;
  std::string file;
  int line = 0;
  bool hidden = false;  // it does not want to be run unless it is asked for by its name
};

// The program tells of its tests when none is chosen; the first is number 0.
inline constexpr long kNoTest = -1;
void choose_test(long number);
std::vector<TestCase> found_tests();

// Why an execution has skipped its test; `was_skipped` if there is one.
bool was_skipped();
std::string skip_reason();

}  // namespace heddle::library
