// Symbols that a program uses and nothing defines: all in one message, each with its first use and the remedy.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/site.hpp"
#include "frontend/program/program.hpp"

namespace heddle::frontend {

class Missing {
 public:
  explicit Missing(const SiteTable& sites) : sites_(sites) {}

  // refused: why the library does not have it, and what to do instead; empty if it does not know the name.
  void add(const External& external, const std::string& refused);
  // Throws UserError unless there is nothing missing.
  void refuse() const;

 private:
  const SiteTable& sites_;
  std::vector<std::string> lines_;
};

// Whether the name is that of an object file or a library: .o .a .so, also with a version.
bool is_compiled(std::string_view file);
inline constexpr const char* kNeedsSources =
    "is compiled already, and heddle must see every access: give its source files instead, before --";

}  // namespace heddle::frontend
