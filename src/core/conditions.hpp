// Awaits for more than one comparison, in the 128 bits that an await has for what it expects.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "core/await.hpp"

namespace heddle {

// Await::one_of. The number v, signed and of `size` bytes, is a member if bit v of the word `lo` is set, where bit 63
// speaks of all from 63; or, below 0, bit -1 - v of the word `hi`, where bit 61 speaks of all up to -62.
inline constexpr int64_t kSetFirst = -62;
inline constexpr int64_t kSetLast = 63;
Value number_set(uint8_t size, const std::function<bool(int64_t)>& is_member);

// Await::pair. The first compares the whole value with any number. The second has a number and a mask of few bits.
// Bit a + 2b of `table` says whether the thread goes on if the first is a and the second is b.
struct Comparisons {
  uint8_t size = 0;  // of the value, in bytes
  Await first = Await::part_equal;
  Await second = Await::part_equal;
  uint64_t mask = 0;  // of the second; ~0: the whole value
  int64_t small = 0;
  uint8_t table = 0;
};
// What `hi` is then; `lo` is the number of the first. Nothing if the second does not fit.
std::optional<uint64_t> pair_code(const Comparisons& c);

// Await::relations. Three numbers of 32 bits: the halves of `lo`, and the lower half of `hi`. With a value of 8 bytes
// they are sign-extended. A digit of base 3 for each, the first one lowest, says whether the value is less than (0),
// equal to (1) or greater than (2) it; the bit with that number in `table` says whether the thread goes on. This is the
// upper half of `hi`.
inline constexpr unsigned kMaxRelations = 3;
inline constexpr unsigned kRelationTable = 27;
uint64_t relations_code(uint8_t size, bool is_signed, uint32_t table);

// Await::distance. The value less `lo`, an unsigned number of `size` bytes, is less than a bound, or is not. This is
// `hi` without the bound, which is its lower bits.
inline constexpr unsigned kBoundBits = 60;
inline constexpr uint64_t kMaxBound = (uint64_t{1} << kBoundBits) - 1;
uint64_t distance_code(uint8_t size, bool is_less);

// Whether the value read satisfies such an await.
bool is_member(Value set, Value read);
bool pair_satisfied(Value code, Value read);
bool relations_satisfied(Value code, Value read);
bool distance_satisfied(Value code, Value read);

}  // namespace heddle
