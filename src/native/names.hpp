// Names for addresses, as shown to a person. This room has no state.
#pragma once

#include <string>

#include "native/region.hpp"

namespace heddle::names {

// What lives in the arena that belongs to no thread:
inline constexpr Address kSection = region::kOwnArena;  // SV-COMP's atomic sections are one recursive mutex
inline constexpr Address kKeys = region::kOwnArena + region::kPage;  // the states of thread-specific data's keys
inline constexpr std::size_t kKeyCount = 1 << 25;

// "queue.head", "malloc'd at stack.c:12 + 8".
std::string describe(Address a);
// The size of the scalar that begins at an address, as far as the types of globals tell; else 0.
unsigned scalar_size(Address a);

}  // namespace heddle::names
