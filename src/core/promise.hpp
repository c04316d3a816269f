// What an exploration relies on at some place of memory (made), and what it has seen that is against it (broken). One
// execution may make a promise and another one break it, in another process too. So both are kept, and what is against
// what is found out when they are together.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <span>
#include <vector>

#include "core/hash.hpp"
#include "core/ids.hpp"
#include "core/value.hpp"

namespace heddle {

struct Promise {
  enum class What : uint8_t {
    distinct,  // no value comes back
    last,      // it is written once
    never,     // it is not written
    kept,      // it is not freed, and no plain write replaces its value
    unread,    // likewise, in no order with a round that is left out
    place,     // no round that is left out writes there and takes it back
    passing,   // no thread does anything else after it has read there what such a round takes back
  };
  static constexpr uint64_t kWhats = 7;

  What what = What::distinct;
  bool broken = false;
  Address start = 0;
  uint64_t length = 0;
  uint32_t code = 0;  // unread: of threads that run this (Machine::code); passing: the value

  friend bool operator==(const Promise&, const Promise&) = default;
};

// Of a place to which rounds write and take it back: those that leave this value there, by its code. 0: any.
struct RestingPlace {
  Address place = 0;
  uint32_t rest = 0;

  static constexpr uint32_t kRest = 1u << 23;  // other codes of Promise::passing lack it
  static uint32_t code(Value rest) {
    return (static_cast<uint32_t>(Hash().add(rest.lo).add(rest.hi).value()) & (kRest - 1)) | kRest;
  }
  friend auto operator<=>(const RestingPlace&, const RestingPlace&) = default;
};

// Those that are made and broken.
inline std::vector<Promise> broken_promises(std::span<const Promise> all) {
  std::vector<Promise> found;
  for (const Promise& made : all) {
    if (made.broken) continue;
    const bool broken = std::ranges::any_of(all, [&](const Promise& p) {
      const bool meets = p.start < made.start + made.length && made.start < p.start + p.length;
      return p.broken && p.what == made.what && p.code == made.code && meets;
    });
    if (broken) found.push_back(made);
  }
  return found;
}

}  // namespace heddle
