// Runs another program and takes what it writes.
#pragma once

#include <string>
#include <vector>

namespace heddle::frontend {

struct ProcessResult {
  bool started = false;  // false: `error` is the errno of the attempt
  int error = 0;
  int status = 0;  // exit status; 128 + n after signal n
  std::string out;
  std::string err;
};

// argv[0] is looked up in PATH. The child reads from /dev/null. It runs in this folder, if one is given.
ProcessResult run_process(const std::vector<std::string>& argv, const std::string& folder = "");

}  // namespace heddle::frontend
