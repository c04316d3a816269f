// A small hash of numbers and texts, the same in every process.
#pragma once

#include <cstdint>
#include <string_view>

namespace heddle {

class Hash {
 public:
  Hash& add(uint64_t n) {
    for (int i = 0; i < 64; i += 8) byte(static_cast<unsigned char>(n >> i));
    return *this;
  }
  Hash& add(std::string_view text) {
    add(text.size());
    for (const char c : text) byte(static_cast<unsigned char>(c));
    return *this;
  }
  uint64_t value() const { return value_; }

 private:
  // FNV-1a.
  void byte(unsigned char b) { value_ = (value_ ^ b) * 0x100000001b3u; }

  uint64_t value_ = 0xcbf29ce484222325u;
};

}  // namespace heddle
