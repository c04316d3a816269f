// The arguments after `--`: which of them clang may see.
#pragma once

#include <string>
#include <vector>

namespace heddle::frontend {

// Throws UserError for an argument that would make clang do something else than compile the program for this machine.
// It names the argument and says what to do. Arguments for a linker are fine: clang does not link here.
void check_clang_arguments(const std::vector<std::string>& arguments);

}  // namespace heddle::frontend
