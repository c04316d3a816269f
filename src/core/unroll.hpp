// --unroll: how often loops may go back.
#pragma once

#include <string>

#include "core/site.hpp"

namespace heddle {

// A bound for all loops, those of a function, or one.
struct Unroll {
  unsigned rounds = 0;
  std::string function;  // as the source writes it, with or without its namespaces and classes
  std::string file;      // the end of its path
  unsigned line = 0;     // of the loop's beginning or end
  bool used = false;     // the program has such a loop

  bool is_named() const { return !function.empty() || line != 0; }
  int rank() const { return line != 0 ? 2 : function.empty() ? 0 : 1; }
  bool matches(const Site& site) const;
  std::string text() const;  // as on the command line
};

}  // namespace heddle
