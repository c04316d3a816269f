// Files that the user names.
#pragma once

#include <string>

namespace heddle::cli {

// Throws UserError, with what to do, if this is not a file that can be read.
void require_file(const std::string& file);
// All of it. Throws UserError.
std::string contents_of(const std::string& file);

// Throws UserError if no file of this name can be written. To be called early: a run may take long.
void require_writable(const std::string& file);
// Writes all of it, or the file stays as it was. Throws UserError. What a run has to write goes through write_output
// (cli/courier.hpp): its process may be in the sandbox.
void write_whole(const std::string& file, const std::string& text);
// Whether two names are of one file, which may not be there yet.
bool same_file(const std::string& a, const std::string& b);

}  // namespace heddle::cli
