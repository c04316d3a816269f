// Threads by their lasting names.
//
// A path has the numbers (from 1) of the threads from a child of main down to the thread itself, the lowest byte first.
// A number up to 254 is one byte, a larger one three, of which the first is 255. No byte of a number is 0. So siblings
// have larger paths the later they are created.
#pragma once

#include <optional>

#include "core/assert.hpp"
#include "core/ids.hpp"

namespace heddle {

// The numbers of a path, one after the other.
class PathNumbers {
 public:
  explicit PathNumbers(ThreadPath path) : rest_(static_cast<uint64_t>(path)) {}

  bool more() const { return rest_ != 0; }
  // 0 if no thread has the path.
  uint32_t next() {
    const uint32_t first = byte();
    if (first != kLong) return first;
    const uint32_t low = byte();
    const uint32_t high = byte();
    return low == 0 || high == 0 ? 0 : kLong + (low - 1) + (high - 1) * kLong;
  }

  static constexpr uint32_t kLong = 255;

 private:
  uint32_t byte() {
    const auto b = static_cast<uint32_t>(rest_ & 0xff);
    rest_ >>= 8;
    return b;
  }

  uint64_t rest_;
};

// The path of the child with this number. Nothing if it would be too long.
inline std::optional<ThreadPath> child_path(ThreadPath parent, uint32_t number) {
  constexpr uint32_t kLong = PathNumbers::kLong;
  HEDDLE_ASSERT(number > 0);
  const auto path = static_cast<uint64_t>(parent);
  unsigned used = 0;
  while (used < 8 && path >> (8 * used) != 0) ++used;
  const bool is_long = number >= kLong;
  if (used + (is_long ? 3 : 1) > 8 || (is_long && number - kLong >= kLong * kLong)) return std::nullopt;
  const uint64_t bytes =
      is_long ? kLong | ((number - kLong) % kLong + 1) << 8 | ((number - kLong) / kLong + 1) << 16 : number;
  return ThreadPath(path | bytes << (8 * used));
}

class ThreadPaths {
 public:
  virtual ~ThreadPaths() = default;

  virtual ThreadPath path(ThreadId) const = 0;
  // Gives a thread that is not known yet its id; an id is good for the whole run, but only in this process.
  virtual ThreadId thread_at(ThreadPath) = 0;
};

}  // namespace heddle
