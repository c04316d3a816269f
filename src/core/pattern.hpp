// Names by patterns: * stands for any characters, ? for one.
#pragma once

#include <string_view>

namespace heddle {

bool fits_pattern(std::string_view name, std::string_view pattern);

}  // namespace heddle
