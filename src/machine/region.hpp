// The program's memory: one fixed range of addresses, so that addresses are the same in every run and a
// shadow cell is found by arithmetic.
//
//   kBase ............ image: code, constants and globals, as the JIT lays them out
//   kArenas .......... one arena per thread: heap blocks and escaping locals, never reused in an execution
//   kStacks .......... one stack per thread, with guard pages: only memory that no other thread can see
#pragma once

#include <cstddef>

#include "core/ids.hpp"

namespace heddle::region {

inline constexpr Address kBase = 0x2000'0000'0000;
inline constexpr std::size_t kImageSize = 1ull << 30;
inline constexpr Address kArenas = kBase + kImageSize;
inline constexpr std::size_t kMaxThreads = 255;
inline constexpr std::size_t kArenaSize = 1ull << 30;
inline constexpr Address kStacks = kArenas + (kMaxThreads + 1) * kArenaSize;
inline constexpr std::size_t kStackSize = 1ull << 20;
inline constexpr std::size_t kStackGuard = 1ull << 16;  // lowest part of a stack, not accessible
inline constexpr Address kEnd = kStacks + (kMaxThreads + 1) * kStackSize;

// Page-aligned, zeroed, readable and writable memory of the image part, within 1 GiB of all the rest of it;
// the JIT sets the final permissions. Throws UserError when the image is too large.
void* map_image(std::size_t bytes);
// Gives all of the image part back.
void unmap_image();
// What map_image has handed out lies between these.
Address image_start();
Address image_end();

// The rest, for the native machine. Arenas, stacks (not accessible until opened) and shadow memory, once and for all.
void map_arenas();
void map_sites();
void open_stack(ThreadId t);
// Forgets the contents of the pages that lie wholly in [from, to): they read as zero afterwards and cost nothing.
void discard(Address from, Address to);

constexpr bool in_image(Address a) { return a - kBase < kImageSize; }
constexpr bool in_arena(Address a) { return a - kArenas < (kMaxThreads + 1) * kArenaSize; }
constexpr bool in_stack(Address a) { return a - kStacks < (kMaxThreads + 1) * kStackSize; }

}  // namespace heddle::region
