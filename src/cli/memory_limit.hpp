// How much memory a check may use if the user does not say.
#pragma once

#include <cstdint>
#include <string>

namespace heddle::cli {

// Three quarters of the machine's memory, or of what the control group of this process may use if that is less.
uint64_t default_memory_limit();

// The least limit of a control group and those around it, UINT64_MAX if there is none. `groups` is the contents of
// /proc/self/cgroup, `root` where they are mounted.
uint64_t group_limit(const std::string& groups, const std::string& root);

}  // namespace heddle::cli
