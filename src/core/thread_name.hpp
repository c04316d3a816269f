// What a person is told of a thread.
#pragma once

#include <string>
#include <string_view>

#include "core/ids.hpp"

namespace heddle {

// "main", "T2", or with the function that it runs "T2 (consumer)".
inline std::string name_of(ThreadId t, std::string_view function = {}) {
  if (t == kMain) return "main";
  if (t == kNoThread) return "?";
  std::string name = "T";
  name += std::to_string(index(t));
  if (function.empty() || function == name) return name;
  return name.append(" (").append(function).append(")");
}

}  // namespace heddle
