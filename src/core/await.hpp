// What a read may wait for, and the comparison with one number. core/conditions.hpp has the conditions with more.
#pragma once

#include <cstdint>

#include "core/value.hpp"

namespace heddle {

// A load, rmw or cas may wait for a condition on the value that it reads: with any other value the thread does not go
// on. Loops that wait are such awaits, and so is a read whose value the program assumes something of (Action::assumed).
// The value is compared with `expected`; or, of up to 8 bytes, the bits of it where expected.hi has ones with
// expected.lo. Signed numbers are as wide as expected.hi.
enum class Await : uint8_t {
  none,
  equal,
  not_equal,
  part_equal,
  part_not_equal,
  less,
  less_equal,
  greater,
  greater_equal,
  signed_less,
  signed_less_equal,
  signed_greater,
  signed_greater_equal,
  one_of,     // of a set of numbers, see core/conditions.hpp
  pair,       // of two comparisons, likewise
  relations,  // to up to three numbers, likewise
  distance,   // from a number, likewise
};

// Whether a read of `read` satisfies an await that compares with one number: part_equal to signed_greater_equal.
bool comparison_satisfied(Await await, Value expected, Value read);

}  // namespace heddle
