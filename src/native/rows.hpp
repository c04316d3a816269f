// Rows of epochs: the reads of a byte, one per thread, when they are not ordered (shadow.hpp).
#pragma once

#include "core/assert.hpp"
#include "native/epoch.hpp"
#include "native/host.hpp"

namespace heddle::cell {

// One row per set of unordered reads: the number of cells that refer to it, then clock and site per thread. All rows
// are as wide as the latest thread that has read needs; of threads beyond there is no read.
class Rows {
 public:
  void clear();
  uint32_t add(uint32_t references);
  uint32_t copy(uint32_t row, uint32_t references);
  // So many cells do not refer to the row any more. One that no cell refers to is used again.
  [[gnu::noinline]] void drop(uint32_t row, uint32_t references);
  uint32_t references(uint32_t row) const { return data_[entry(row, 0)]; }
  uint32_t clock(uint32_t row, uint32_t t) const { return t < width() ? data_[entry(row, 1 + 2 * t)] : 0; }
  SiteId site(uint32_t row, uint32_t t) const { return t < width() ? SiteId(data_[entry(row, 2 + 2 * t)]) : kNoSite; }
  void set(uint32_t row, uint32_t e, SiteId site);
  uint32_t width() const { return static_cast<uint32_t>((stride_ - 1) / 2); }

 private:
  std::size_t entry(uint32_t row, uint32_t column) const {
    HEDDLE_ASSERT(column < stride_ && row * stride_ + column < data_.size());
    return row * stride_ + column;
  }
  void keep(uint32_t row);
  void widen(uint32_t threads);
#if HEDDLE_CHECKED
  // What is wrong with the list of unused rows; nothing if all is well.
  std::string check() const;
#endif

  static constexpr uint32_t kNone = UINT32_MAX;

  HostVector<uint32_t> data_;
  uint32_t unused_ = kNone;  // the first row of a list; the first clock of each names the next
  std::size_t stride_ = 17;
};

}  // namespace heddle::cell
