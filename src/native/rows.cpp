#include "native/rows.hpp"

#include <algorithm>

#include "native/threads.hpp"

namespace heddle::cell {
namespace {

constexpr std::size_t kManyEntries = 1 << 22;
constexpr uint32_t kMostRows = (1u << epoch::kBits) - 1;  // a row's number takes the place of an epoch

}  // namespace

#if HEDDLE_CHECKED

std::string Rows::check() const {
  const std::size_t rows = data_.size() / stride_;
  std::size_t unused = 0;
  for (std::size_t row = 0; row < rows; ++row) unused += data_[row * stride_] == 0 ? 1 : 0;
  for (uint32_t row = unused_; row != kNone; row = data_[entry(row, 1)]) {
    if (row >= rows || data_[entry(row, 0)] != 0) return "a row that is used counts as unused";
    if (unused-- == 0) return "the list of unused rows has no end";
  }
  return unused == 0 ? "" : "a row that no cell refers to is lost";
}

#endif

void Rows::clear() {
  HEDDLE_ASSERT(data_.size() % stride_ == 0);
  HEDDLE_ASSERT_WHOLE(check());
  if (data_.capacity() > kManyEntries) data_ = {};
  data_.clear();
  unused_ = kNone;
}

uint32_t Rows::add(uint32_t references) {
  HEDDLE_ASSERT(references != 0);
  uint32_t row = unused_;
  if (row != kNone) {
    HEDDLE_ASSERT(data_[entry(row, 0)] == 0);
    undo::keep(unused_);
    keep(row);
    unused_ = data_[entry(row, 1)];
    std::fill_n(&data_[entry(row, 0)], stride_, 0);
  } else {
    row = static_cast<uint32_t>(data_.size() / stride_);
    if (row > kMostRows) refuse("too many different sets of threads read parts of the memory in one execution");
    undo::keep_size(data_);
    data_.resize(data_.size() + stride_);
  }
  data_[entry(row, 0)] = references;
  return row;
}

void Rows::drop(uint32_t row, uint32_t references) {
  undo::keep_element(data_, entry(row, 0));
  uint32_t& left = data_[entry(row, 0)];
  HEDDLE_ASSERT(left >= references);
  left -= references;
  if (left != 0) return;
  undo::keep_element(data_, entry(row, 1));
  undo::keep(unused_);
  data_[entry(row, 1)] = unused_;
  unused_ = row;
}

uint32_t Rows::copy(uint32_t row, uint32_t references) {
  HEDDLE_ASSERT(this->references(row) > references);  // else the row itself would do
  const uint32_t to = add(references);
  std::copy_n(&data_[entry(row, 1)], stride_ - 1, &data_[entry(to, 1)]);
  undo::keep_element(data_, entry(row, 0));
  data_[entry(row, 0)] -= references;
  return to;
}

// A thread that was not known when the row was made may read too.
void Rows::set(uint32_t row, uint32_t e, SiteId site) {
  const uint32_t t = epoch::thread_of(e);
  HEDDLE_ASSERT(epoch::clock_of(e) != 0 && references(row) != 0);
  if (t >= width()) widen(t + 1);
  HEDDLE_ASSERT(clock(row, t) <= epoch::clock_of(e));  // a thread's own clock only grows
  undo::keep_element(data_, entry(row, 1 + 2 * t));
  undo::keep_element(data_, entry(row, 2 + 2 * t));
  data_[entry(row, 1 + 2 * t)] = epoch::clock_of(e);
  data_[entry(row, 2 + 2 * t)] = static_cast<uint32_t>(site);
}

void Rows::keep(uint32_t row) {
  if (!undo::state.on) return;
  for (std::size_t i = 0; i < stride_; ++i) undo::keep_element(data_, row * stride_ + i);
}

void Rows::widen(uint32_t threads) {
  undo::forget();
  const std::size_t wider = 2 * ((threads + 7) & ~7u) + 1;
  HEDDLE_ASSERT(wider > stride_);
  HostVector<uint32_t> data(data_.size() / stride_ * wider);
  for (std::size_t row = 0; row * stride_ < data_.size(); ++row)
    std::copy_n(&data_[row * stride_], stride_, &data[row * wider]);
  data_ = std::move(data);
  stride_ = wider;
}

}  // namespace heddle::cell
