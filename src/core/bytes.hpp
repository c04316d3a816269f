// Numbers and texts as bytes, for what one process writes and another one reads: seven bits to a byte, low ones first.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

#include "core/value.hpp"

namespace heddle {

class ByteWriter {
 public:
  void number(uint64_t n) {
    for (; n >= 0x80; n >>= 7) bytes_.push_back(static_cast<char>(n | 0x80));
    bytes_.push_back(static_cast<char>(n));
  }
  void value(Value v) {
    number(v.lo);
    number(v.hi);
  }
  void text(std::string_view t) {
    number(t.size());
    bytes_ += t;
  }

  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

// Throws std::runtime_error instead of reading what is not there.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

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
  bool flag() { return number(2) != 0; }
  // How many things follow, each of which takes a byte or more.
  uint64_t count() {
    const uint64_t n = number();
    if (n > rest_.size()) throw std::runtime_error("a count is out of range");
    return n;
  }
  Value value() {
    const uint64_t lo = number();
    return {lo, number()};
  }
  std::string text() {
    const uint64_t size = count();
    std::string t(rest_.substr(0, size));
    rest_.remove_prefix(size);
    return t;
  }

  bool at_end() const { return rest_.empty(); }
  void end() const {
    if (!at_end()) throw std::runtime_error("something follows");
  }
  std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
};

}  // namespace heddle
