// `heddle status`: how far a check has come that was started with --queue.
#pragma once

#include <string>

#include "cli/options.hpp"

namespace heddle::cli {

// Throws UserError if there is no such check.
std::string status(const Options& options);

}  // namespace heddle::cli
