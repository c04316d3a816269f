// Large numbers as a person reads them.
#pragma once

#include <fmt/format.h>

#include <string>

namespace heddle {

// 1234 -> "1234", 330000 -> "330k", 12.5e6 -> "12M", 3.5e12 -> "3.5e+12"
inline std::string short_number(double n) {
  if (n >= 1e12) return fmt::format("{:.2g}", n);
  if (n >= 1e10) return fmt::format("{:.0f}G", n / 1e9);
  if (n >= 1e9) return fmt::format("{:.1f}G", n / 1e9);
  if (n >= 1e7) return fmt::format("{:.0f}M", n / 1e6);
  if (n >= 1e6) return fmt::format("{:.1f}M", n / 1e6);
  if (n >= 1e4) return fmt::format("{:.0f}k", n / 1e3);
  return fmt::format("{:.0f}", n);
}

}  // namespace heddle
