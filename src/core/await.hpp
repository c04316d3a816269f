// What a read may wait for.
#pragma once

#include <cstdint>

#include "core/condition.hpp"
#include "core/value.hpp"

namespace heddle {

// A load, rmw or cas may wait for a condition on the value that it reads: with any other value the thread does not go
// on. Loops that wait are such awaits, and so is a read whose value the program assumes something of (Action::assumed).
enum class Await : uint8_t {
  none,
  equal,      // to `expected`
  not_equal,  // likewise
  holds,      // a condition of a load or an rmw of up to 8 bytes
};

// Whether a read of `read` satisfies an await, and lets the thread go on.
inline bool satisfied(Await await, Value expected, const Condition* condition, Value read) {
  if (await == Await::holds) [[unlikely]]
    return condition->holds(read.lo);
  return await == Await::none || (read == expected) == (await == Await::equal);
}

}  // namespace heddle
