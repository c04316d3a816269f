// Files that the user names.
#pragma once

#include <string>

namespace heddle::cli {

// Throws UserError, with what to do, if this is not a file that can be read.
void require_file(const std::string& file);
// All of it. Throws UserError.
std::string contents_of(const std::string& file);

}  // namespace heddle::cli
