// What the source says that a value is, as far as a report needs it.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace heddle {

struct ValueType {
  // Floating: of four or eight bytes.
  enum class Kind : uint8_t { unknown, integer, floating, boolean, character, enumeration };

  Kind kind = Kind::unknown;
  bool is_unsigned = false;
  std::vector<std::pair<int64_t, std::string>> enumerators{};
};

}  // namespace heddle
