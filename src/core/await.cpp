#include "core/await.hpp"

#include <bit>

namespace heddle {

bool comparison_satisfied(Await await, Value expected, Value read) {
  const uint64_t a = read.lo & expected.hi;
  const uint64_t b = expected.lo;
  const int shift = expected.hi == 0 ? 0 : std::countl_zero(expected.hi);
  const auto x = static_cast<int64_t>(a << shift);
  const auto y = static_cast<int64_t>(b << shift);
  switch (await) {
    case Await::part_equal: return a == b;
    case Await::part_not_equal: return a != b;
    case Await::less: return a < b;
    case Await::less_equal: return a <= b;
    case Await::greater: return a > b;
    case Await::greater_equal: return a >= b;
    case Await::signed_less: return x < y;
    case Await::signed_less_equal: return x <= y;
    case Await::signed_greater: return x > y;
    case Await::signed_greater_equal: return x >= y;
    default: return true;
  }
}

}  // namespace heddle
