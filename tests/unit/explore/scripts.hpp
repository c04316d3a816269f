// Small scripts for the tests of the explorers.
#pragma once

#include <string>

namespace heddle {

// n threads that do the same.
inline std::string threads(unsigned n, const std::string& body) {
  std::string text;
  for (unsigned i = 0; i < n; ++i) text += "|| " + body + "\n";
  return text;
}

}  // namespace heddle
