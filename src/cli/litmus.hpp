// `heddle litmus`: parse all tests, then explore each and print its states.
#pragma once

#include "cli/options.hpp"

namespace heddle::cli {

// Returns the exit status.
int litmus(const Options& options);

}  // namespace heddle::cli
