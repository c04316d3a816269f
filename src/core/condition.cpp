#include "core/condition.hpp"

#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "core/assert.hpp"

namespace heddle {
namespace {

template <Comparison how>
bool compare(uint64_t read, const uint64_t* known) {
  const uint64_t mask = known[0];
  const uint64_t a = read & mask;
  const uint64_t b = known[1];
  const int shift = mask == 0 ? 0 : std::countl_zero(mask);
  const auto x = static_cast<int64_t>(a << shift);
  const auto y = static_cast<int64_t>(b << shift);
  switch (how) {
    case Comparison::equal: return a == b;
    case Comparison::not_equal: return a != b;
    case Comparison::less: return a < b;
    case Comparison::less_equal: return a <= b;
    case Comparison::greater: return a > b;
    case Comparison::greater_equal: return a >= b;
    case Comparison::signed_less: return x < y;
    case Comparison::signed_less_equal: return x <= y;
    case Comparison::signed_greater: return x > y;
    case Comparison::signed_greater_equal: return x >= y;
  }
  __builtin_unreachable();
}

template <std::size_t... c>
std::vector<Condition::Compiled> comparisons(std::index_sequence<c...>) {
  return {{&compare<static_cast<Comparison>(c)>, 2}...};
}

}  // namespace

Conditions::Conditions() : functions_(comparisons(std::make_index_sequence<kComparisons>())) {}

void Conditions::set_program(std::span<const Condition::Compiled> functions) {
  all_.clear();
  by_hash_.clear();
  functions_.resize(kComparisons);
  functions_.insert(functions_.end(), functions.begin(), functions.end());
}

const Condition* Conditions::of(uint32_t number, std::span<const uint64_t> known) {
  HEDDLE_ASSERT(number < functions_.size() && known.size() == functions_[number].known);
  const uint64_t hash = XXH3_64bits_withSeed(known.data(), known.size_bytes(), number);
  const auto [first, last] = by_hash_.equal_range(hash);
  for (auto at = first; at != last; ++at) {
    if (at->second->number == number && std::ranges::equal(at->second->known, known)) return at->second;
  }
  all_.push_back({functions_[number].function, number, {known.begin(), known.end()}});
  by_hash_.emplace(hash, &all_.back());
  return &all_.back();
}

}  // namespace heddle
