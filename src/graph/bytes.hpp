// Numbers as bytes, for what one process writes and another one reads: seven bits to a byte, low ones first.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

#include "graph/event.hpp"

namespace heddle {

class Writer {
 public:
  void number(uint64_t n) {
    for (; n >= 0x80; n >>= 7) bytes_.push_back(static_cast<char>(n | 0x80));
    bytes_.push_back(static_cast<char>(n));
  }
  void value(Value v) {
    number(v.lo);
    number(v.hi);
  }
  // 0 is none, 1 the base write.
  void event(EventId e) { number(e == kNoEvent ? 0 : e == kInit ? 1 : index(e) + 2); }

  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

// Throws std::runtime_error instead of reading what is not there.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}

  uint64_t number() {
    uint64_t n = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      if (rest_.empty()) break;
      const auto byte = static_cast<unsigned char>(rest_.front());
      rest_.remove_prefix(1);
      n |= static_cast<uint64_t>(byte & 0x7f) << shift;
      if (byte < 0x80) return n;
    }
    throw std::runtime_error("a number is cut off");
  }
  // A number below `bound`.
  uint64_t number(uint64_t bound) {
    const uint64_t n = number();
    if (n >= bound) throw std::runtime_error("a number is out of range");
    return n;
  }
  // How many things follow, each of which takes a byte or more.
  uint64_t count() { return number(rest_.size() + 1); }
  Value value() {
    const uint64_t lo = number();
    return {lo, number()};
  }
  // One of the first n events, or none, or the base write.
  EventId event(std::size_t n) {
    const uint64_t name = number(n + 2);
    return name == 0 ? kNoEvent : name == 1 ? kInit : EventId(name - 2);
  }

  bool at_end() const { return rest_.empty(); }
  std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
};

}  // namespace heddle
