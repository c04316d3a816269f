// Events as bytes (core/bytes.hpp).
#pragma once

#include "core/bytes.hpp"
#include "graph/event.hpp"

namespace heddle {

class Writer : public ByteWriter {
 public:
  // 0 is none, 1 the base write.
  void event(EventId e) { number(e == kNoEvent ? 0 : e == kInit ? 1 : index(e) + 2); }
};

class Reader : public ByteReader {
 public:
  using ByteReader::ByteReader;

  // One of the first n events, or none, or the base write.
  EventId event(std::size_t n) {
    const uint64_t name = number(n + 2);
    return name == 0 ? kNoEvent : name == 1 ? kInit : EventId(name - 2);
  }
};

}  // namespace heddle
