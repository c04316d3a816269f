// What the source says that a value is, as far as a report needs it.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace heddle {

struct ValueType {
  enum class Kind : uint8_t { unknown, signed_integer, unsigned_integer, floating, boolean, character, enumeration };

  Kind kind = Kind::unknown;
  std::vector<std::pair<int64_t, std::string>> enumerators{};
  bool unsigned_enumeration = false;

  bool is_unsigned() const { return kind == Kind::unsigned_integer || kind == Kind::boolean || unsigned_enumeration; }
};

}  // namespace heddle
