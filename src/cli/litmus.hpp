// `heddle litmus`: parse all tests, then explore each and print its states.
#pragma once

#include "cli/answer.hpp"
#include "cli/options.hpp"

namespace heddle::cli {

// Text is printed test by test; JSON, which is one object, is the answer's.
Answer litmus(const Options& options);

}  // namespace heddle::cli
