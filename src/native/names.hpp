// Names for addresses, as shown to a person. This room has no state.
#pragma once

#include <string>

#include "native/region.hpp"

namespace heddle::names {

// SV-COMP's atomic sections are one recursive mutex, in the arena that belongs to no thread.
inline constexpr Address kSection = region::kOwnArena;

// "queue.head", "malloc'd at stack.c:12 + 8".
std::string describe(Address a);
// The size of the scalar that begins at an address, as far as the types of globals tell; else 0.
unsigned scalar_size(Address a);

}  // namespace heddle::names
