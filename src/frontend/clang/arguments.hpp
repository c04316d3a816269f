// The arguments for clang, after `--` or from a build: which of them it may see.
#pragma once

#include <string>
#include <vector>

namespace heddle::frontend {

// Throws UserError for an argument that would make clang do something else than compile the program for this machine.
// It names the argument and says what to do. Arguments for a linker are fine: clang does not link here.
void check_clang_arguments(const std::vector<std::string>& arguments);

// Of a command that compiles a file in a build, what tells how the file is to be read: not the compiler's name, the
// file, where the code goes, dependencies, sanitizers or profiles. Throws UserError as above for the rest.
std::vector<std::string> arguments_of_build(const std::vector<std::string>& command);

}  // namespace heddle::frontend
