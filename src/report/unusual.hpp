// What was unusual about a program without being wrong.
#pragma once

#include <string>
#include <vector>

#include "core/result.hpp"
#include "core/site.hpp"

namespace heddle {

// One sentence each. None if an error was found, which matters more.
std::vector<std::string> notes(const Result& result, const SiteTable& sites);

}  // namespace heddle
