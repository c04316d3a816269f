#include "core/unroll.hpp"

namespace heddle {

bool Unroll::matches(const Site& site) const {
  const auto ends = [](std::string_view whole, std::string_view end, std::string_view separator) {
    return whole == end || whole.ends_with(std::string(separator) + std::string(end));
  };
  if (line != 0) return line == site.line && ends(site.file, file, "/");
  return function.empty() || ends(site.function, function, "::");
}

std::string Unroll::text() const {
  const std::string where = line != 0          ? file + ":" + std::to_string(line) + ":"
                            : function.empty() ? ""
                                               : function + ":";
  return where + std::to_string(rounds);
}

}  // namespace heddle
