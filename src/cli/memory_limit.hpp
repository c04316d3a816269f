// How much memory a check may use if the user does not say.
#pragma once

#include <cstdint>
#include <istream>
#include <string>

namespace heddle::cli {

// Three quarters of the machine's memory, or of what the control group of this process may use if that is less; but no
// more than nine tenths of what is free.
uint64_t default_memory_limit();

// The least limit of a control group and those around it, UINT64_MAX if there is none. `groups` is the contents of
// /proc/self/cgroup, `root` where they are mounted.
uint64_t group_limit(const std::string& groups, const std::string& root);

// What new processes can have without swapping, as Linux estimates it; UINT64_MAX if it does not say.
uint64_t available_memory(std::istream& meminfo);

}  // namespace heddle::cli
