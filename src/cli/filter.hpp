// Which tests `heddle test --filter` chooses, as GoogleTest's users know it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/pattern.hpp"

namespace heddle::cli {

// "Queue.*:Stack.*-*Slow*:*Big*": one of the first patterns, if there are any, and none of those after the minus.
// * stands for any characters, ? for one.
class Filter {
 public:
  explicit Filter(std::string_view text);

  bool chooses(std::string_view name) const;
  // Whether a pattern is this name.
  bool names(std::string_view name) const;

 private:
  std::vector<std::string> wanted_;
  std::vector<std::string> unwanted_;
};

}  // namespace heddle::cli
