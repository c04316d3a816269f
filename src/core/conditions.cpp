#include "core/conditions.hpp"

#include <algorithm>
#include <bit>

namespace heddle {
namespace {

// Where the code of a pair has what.
constexpr unsigned kSecond = 4, kTable = 8, kSize = 12, kWhole = 14, kMask = 15, kSmall = 39;
constexpr unsigned kMaskBits = kSmall - kMask;

constexpr uint64_t all_bits(uint64_t log_size) { return ~uint64_t{0} >> (64 - (8u << log_size)); }

// A code from outside may have anything here.
bool compare(uint64_t await, Value expected, Value read) {
  const bool compares = await >= uint64_t(Await::part_equal) && await <= uint64_t(Await::signed_greater_equal);
  return compares && part_satisfied(Await(await), expected, read);
}

}  // namespace

bool is_member(Value set, Value read) {
  const unsigned unused = 64 - (8u << (set.hi >> 62));
  const auto v = std::clamp(static_cast<int64_t>(read.lo << unused) >> unused, kSetFirst, kSetLast);
  return ((v < 0 ? set.hi >> (-1 - v) : set.lo >> v) & 1) != 0;
}

Value number_set(uint8_t size, const std::function<bool(int64_t)>& is_member) {
  Value set{0, static_cast<uint64_t>(std::countr_zero(size)) << 62};
  for (int64_t v = kSetFirst; v <= kSetLast; ++v) {
    if (is_member(v)) (v < 0 ? set.hi : set.lo) |= uint64_t{1} << (v < 0 ? -1 - v : v);
  }
  return set;
}

bool pair_satisfied(Value code, Value read) {
  const uint64_t whole = all_bits((code.hi >> kSize) & 3);
  const uint64_t part = (code.hi >> kMask) & ((uint64_t{1} << kMaskBits) - 1);
  const auto small = static_cast<uint64_t>(static_cast<int64_t>(code.hi) >> kSmall);
  const bool is_whole = ((code.hi >> kWhole) & 1) != 0;
  const bool a = compare(code.hi & 15, {code.lo, whole}, read);
  const bool b = compare((code.hi >> kSecond) & 15, {small & whole, is_whole ? whole : part}, read);
  return ((code.hi >> (kTable + (a ? 1 : 0) + (b ? 2 : 0))) & 1) != 0;
}

std::optional<uint64_t> pair_code(const Comparisons& c) {
  const auto log_size = static_cast<uint64_t>(std::countr_zero(c.size));
  const bool whole = c.mask == ~uint64_t{0};
  const uint64_t small = static_cast<uint64_t>(c.small) << kSmall;
  if ((!whole && c.mask >> kMaskBits != 0) || static_cast<int64_t>(small) >> kSmall != c.small) return std::nullopt;
  const uint64_t mask = whole ? uint64_t{1} << kWhole : c.mask << kMask;
  return static_cast<uint64_t>(c.first) | static_cast<uint64_t>(c.second) << kSecond | uint64_t{c.table} << kTable |
         log_size << kSize | mask | small;
}

}  // namespace heddle
