// What a report says about a run besides its Result.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heddle {

struct RunInfo {
  std::string version;
  std::vector<std::string> files;
  std::string model;
  std::string algorithm;
  std::string command;                // to run it again, ready for a shell
  std::string replay;                 // to run only the failing execution again; empty if it is not saved
  std::vector<std::string> warnings;  // what to know before trusting the verdict
  double compile_seconds = 0;
  double explore_seconds = 0;
  double total_seconds = 0;
  uint64_t peak_rss_kib = 0;
};

}  // namespace heddle
