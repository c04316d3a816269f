// What memory is that nobody has touched in this execution: what the zero cells of shadow memory stand for.
#pragma once

#include "native/heap.hpp"

namespace heddle::untouched {

// Where a byte of the image lies: in which global, or between which two; null if there is none on that side. The bytes
// next to a guarded one belong to nothing, nor does any other byte as far as is known.
struct Place {
  const Image::Global* before = nullptr;  // begins at or before the byte
  const Image::Global* after = nullptr;

  explicit Place(Address a);
  static Address end(const Image::Global& g) { return g.address + g.size; }
  bool in_global(Address a) const { return before != nullptr && a < end(*before); }
  bool in_zone_after(Address a) const {
    return before != nullptr && before->guarded && !in_global(a) && a < end(*before) + Image::kRedZone;
  }
  bool in_zone_before(Address a) const {
    return after != nullptr && after->guarded && !in_global(a) && after->address - a <= Image::kRedZone;
  }
};

// A byte, and those after it that are alike.
struct Bytes {
  bool usable = false;     // else the byte must not be touched
  bool has_value = false;  // it is initialised
  uint32_t epoch = 0;      // of its allocation
  Address end = 0;         // the bytes up to here are alike
};
Bytes at(Address a);

// For the whole run.
void begin(const Image& image);

}  // namespace heddle::untouched
