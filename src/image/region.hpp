// Where a program's code and data lie: one fixed range of addresses, so that addresses are the same in every run. What
// the native machine adds to it follows directly behind (native/region.hpp).
#pragma once

#include <cstddef>

#include "core/ids.hpp"

namespace heddle::region {

// Above AddressSanitizer's shadow, which ends at 0x2010'0000'0000 on AArch64.
inline constexpr Address kBase = 0x2100'0000'0000;
inline constexpr std::size_t kImageSize = 1ull << 30;
inline constexpr std::size_t kPage = 4096;
// The lowest bits of an address in which threads that have done the same do not differ (native/heap.hpp).
inline constexpr unsigned kSameBits = 6;
// All that the program's memory holds, native/region.hpp's part included, has the same bits from here on.
inline constexpr unsigned kCommonBits = 39;

// Page-aligned, zeroed, readable and writable memory of the image part, within 1 GiB of all the rest of it;
// the loader sets the final permissions. Throws UserError when the image is too large.
void* map_image(std::size_t bytes);
// Gives all of the image part back.
void unmap_image();
// What map_image has handed out lies between these.
Address image_start();
Address image_end();

constexpr bool in_image(Address a) { return a - kBase < kImageSize; }

// Memory at a fixed place, with the protection of mmap. Throws UserError.
void* map(Address at, std::size_t bytes, int protection);

}  // namespace heddle::region
