#include "core/conditions.hpp"

#include <algorithm>
#include <bit>

#include "core/assert.hpp"

namespace heddle {
namespace {

// Where the code of a pair has what.
constexpr unsigned kSecond = 4, kTable = 8, kSize = 12, kWhole = 14, kMask = 15, kSmall = 39;
constexpr unsigned kMaskBits = kSmall - kMask;

// Where that of relations has what.
constexpr unsigned kRelations = 32, kRelationSize = kRelations + kRelationTable, kSigned = kRelationSize + 2;

constexpr uint64_t all_bits(uint64_t log_size) { return ~uint64_t{0} >> (64 - (8u << log_size)); }

// A code from outside may have anything here.
bool compare(uint64_t await, Value expected, Value read) {
  const bool compares = await >= uint64_t(Await::part_equal) && await <= uint64_t(Await::signed_greater_equal);
  return compares && comparison_satisfied(Await(await), expected, read);
}

}  // namespace

bool is_member(Value set, Value read) {
  const unsigned unused = 64 - (8u << (set.hi >> 62));
  const auto v = std::clamp(static_cast<int64_t>(read.lo << unused) >> unused, kSetFirst, kSetLast);
  return ((v < 0 ? set.hi >> (-1 - v) : set.lo >> v) & 1) != 0;
}

Value number_set(uint8_t size, const std::function<bool(int64_t)>& is_member) {
  HEDDLE_ASSERT(std::has_single_bit(size) && size <= 8);
  Value set{0, static_cast<uint64_t>(std::countr_zero(size)) << 62};
  for (int64_t v = kSetFirst; v <= kSetLast; ++v) {
    if (is_member(v)) (v < 0 ? set.hi : set.lo) |= uint64_t{1} << (v < 0 ? -1 - v : v);
  }
  HEDDLE_ASSERT(set.hi >> 62 == static_cast<uint64_t>(std::countr_zero(size)));  // the members leave the size alone
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
  HEDDLE_ASSERT(std::has_single_bit(c.size) && c.size <= 8 && c.table < 16);
  const auto log_size = static_cast<uint64_t>(std::countr_zero(c.size));
  const bool whole = c.mask == ~uint64_t{0};
  const uint64_t small = static_cast<uint64_t>(c.small) << kSmall;
  if ((!whole && c.mask >> kMaskBits != 0) || static_cast<int64_t>(small) >> kSmall != c.small) return std::nullopt;
  const uint64_t mask = whole ? uint64_t{1} << kWhole : c.mask << kMask;
  return static_cast<uint64_t>(c.first) | static_cast<uint64_t>(c.second) << kSecond | uint64_t{c.table} << kTable |
         log_size << kSize | mask | small;
}

uint64_t relations_code(uint8_t size, bool is_signed, uint32_t table) {
  HEDDLE_ASSERT(std::has_single_bit(size) && size <= 8 && table >> kRelationTable == 0);
  return uint64_t{table} << kRelations | static_cast<uint64_t>(std::countr_zero(size)) << kRelationSize |
         uint64_t{is_signed} << kSigned;
}

bool relations_satisfied(Value code, Value read) {
  const unsigned unused = 64 - (8u << ((code.hi >> kRelationSize) & 3));
  const bool is_signed = ((code.hi >> kSigned) & 1) != 0;
  const uint64_t value = read.lo << unused;
  unsigned place = 0;
  unsigned weight = 1;
  for (const uint64_t half : {code.lo, code.lo >> 32, code.hi}) {
    const auto wide = static_cast<uint64_t>(int64_t{static_cast<int32_t>(half)});
    const uint64_t number = wide << unused;
    const bool less = is_signed ? static_cast<int64_t>(value) < static_cast<int64_t>(number) : value < number;
    place += weight * (less ? 0 : value == number ? 1 : 2);
    weight *= 3;
  }
  return ((code.hi >> (kRelations + place)) & 1) != 0;
}

uint64_t distance_code(uint8_t size, bool is_less) {
  HEDDLE_ASSERT(std::has_single_bit(size) && size <= 8);
  return static_cast<uint64_t>(std::countr_zero(size)) << kBoundBits | uint64_t{is_less} << (kBoundBits + 2);
}

bool distance_satisfied(Value code, Value read) {
  const uint64_t distance = (read.lo - code.lo) & all_bits((code.hi >> kBoundBits) & 3);
  const bool is_less = distance < (code.hi & kMaxBound);
  return is_less == (((code.hi >> (kBoundBits + 2)) & 1) != 0);
}

}  // namespace heddle
