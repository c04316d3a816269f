// The contents of a location: up to 16 bytes, zero-extended.
#pragma once

#include <cstdint>

namespace heddle {

struct Value {
  uint64_t lo = 0;
  uint64_t hi = 0;

  friend constexpr bool operator==(const Value&, const Value&) = default;
};

}  // namespace heddle
