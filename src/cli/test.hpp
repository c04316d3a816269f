// `heddle test`: finds the tests of a program that uses GoogleTest or Catch2, and checks each on its own.
//
// The program is compiled once, with the headers of include/frameworks. Then it is run by a child process that hears
// the names of its tests, and by one child for each test that is chosen.
#pragma once

#include <string>
#include <vector>

#include "cli/answer.hpp"
#include "cli/options.hpp"

namespace heddle::cli {

// To be called in a supervised child. `command` says how to run one test, given its name. Lines of text are printed as
// they come.
struct TestCommand {
  std::vector<std::string> words;                  // what the user typed
  std::string (*quoted)(const std::string& word);  // for a shell
  std::string with_filter(const std::string& name) const;
};
Answer test(const Options& options, const TestCommand& command);

}  // namespace heddle::cli
