// A place in a litmus file, and the one way to complain about it.
#pragma once

#include <string>
#include <string_view>

#include "core/error.hpp"

namespace heddle::litmus {

struct Place {
  unsigned line = 1;
  unsigned column = 1;  // in bytes
};

[[noreturn]] inline void fail(const std::string& file, Place at, const std::string& what) {
  throw UserError(file + ":" + std::to_string(at.line) + ":" + std::to_string(at.column) + ": " + what);
}

// A word of the file as a message shows it.
inline std::string in_quotes(std::string_view text) {
  constexpr std::size_t kLongest = 40;
  return "'" + std::string(text.substr(0, kLongest)) + (text.size() > kLongest ? "…'" : "'");
}

inline constexpr const char* kUseCheck = "use `heddle check` with a C program";

}  // namespace heddle::litmus
