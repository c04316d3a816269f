// `heddle replay`: compiles the program of a saved execution, runs exactly that, and reports it.
#pragma once

#include "cli/answer.hpp"
#include "cli/options.hpp"
#include "cli/saved_run.hpp"

namespace heddle::cli {

// Goes to the folder of the check. Files that the options name stay where they were asked for. Throws UserError.
void enter_folder_of(const SavedRun& saved, Options& options);

Answer replay(const Options& options, const SavedRun& saved);

}  // namespace heddle::cli
