// Rows of clocks, as a graph keeps them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/assert.hpp"

namespace heddle {

// Rows are short, and a multiple of four long: a loop over vectors beats a call of memmove.
using RowVector = uint32_t __attribute__((vector_size(16), aligned(4), may_alias));
inline constexpr std::size_t kRowLanes = sizeof(RowVector) / sizeof(uint32_t);

inline void copy_row(uint32_t* to, const uint32_t* from, std::size_t n) {
  HEDDLE_ASSERT(n % kRowLanes == 0);
  for (std::size_t i = 0; i < n; i += kRowLanes) {
    *reinterpret_cast<RowVector*>(to + i) = *reinterpret_cast<const RowVector*>(from + i);
  }
}

inline void max_row(uint32_t* to, const uint32_t* from, std::size_t n) {
  HEDDLE_ASSERT(n % kRowLanes == 0);
  for (std::size_t i = 0; i < n; i += kRowLanes) {
    const RowVector a = *reinterpret_cast<const RowVector*>(to + i);
    const RowVector b = *reinterpret_cast<const RowVector*>(from + i);
    *reinterpret_cast<RowVector*>(to + i) = a > b ? a : b;
  }
}

constexpr std::size_t padded(std::size_t threads) { return (threads + kRowLanes - 1) / kRowLanes * kRowLanes; }

}  // namespace heddle
