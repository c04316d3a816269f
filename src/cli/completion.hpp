// Scripts that complete heddle's command line in a shell, made of the table of options.
#pragma once

#include <optional>
#include <string>

namespace heddle::cli {

// For bash, zsh or fish; nothing for another shell.
std::optional<std::string> completion_for(const std::string& shell);

}  // namespace heddle::cli
