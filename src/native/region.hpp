// The program's memory beyond its code and data (image/region.hpp): fixed ranges of addresses, so that a shadow cell is
// found by arithmetic.
//
//   kBase ............ image: code, constants and globals, as the loader lays them out
//   kArenas .......... arenas: heap blocks and escaping locals. Which part of them is whose, heap.hpp says.
//   kOwnArena ........ for what belongs to no thread
//   kStacks .......... one stack per thread, with guard pages: only memory that no other thread can see. A guard is
//                      wide, so that a frame with large arrays does not reach over it into another stack.
//   kCells, kSites ... shadow memory of the image and the arenas (shadow.hpp)
//
// This room has no state: what is mapped stays mapped.
#pragma once

#include "image/region.hpp"

namespace heddle::region {

inline constexpr std::size_t kMaxThreads = 2048;  // of one run
inline constexpr Address kArenas = kBase + kImageSize;
inline constexpr std::size_t kArenaSize = 1ull << 30;
inline constexpr std::size_t kArenaCount = 257;  // main's, its children's, our own
inline constexpr Address kOwnArena = kArenas + (kArenaCount - 1) * kArenaSize;
// The threads that main creates after the first 255 have less room.
inline constexpr Address kLateArenas = kArenas + kArenaCount * kArenaSize;
inline constexpr std::size_t kLateArenaSize = 64ull << 20;
inline constexpr std::size_t kEarlyThreads = 255;
inline constexpr Address kStacks = kLateArenas + (kMaxThreads - 1 - kEarlyThreads) * kLateArenaSize;
// What Linux gives to a process, 8 MiB, and as much again: beside a variable may stand which bytes of it have a value.
inline constexpr std::size_t kStackUsable = 16ull << 20;
inline constexpr std::size_t kStackGuard = 48ull << 20;  // lowest part of a stack, not accessible
inline constexpr std::size_t kStackSize = kStackGuard + kStackUsable;
inline constexpr std::size_t kStackKept = 256ull << 10;  // of a stack, from one execution to the next
inline constexpr Address kEnd = kStacks + kMaxThreads * kStackSize;

static_assert((kEnd - 1) >> kCommonBits == kBase >> kCommonBits);

inline constexpr Address kCells = 0x3000'0000'0000;
inline constexpr Address kSites = 0x3800'0000'0000;
inline constexpr std::size_t kCovered = kStacks - kBase;
static_assert(kEnd <= kCells && kCells + kCovered * sizeof(uint64_t) <= kSites);

// Arenas, stacks (not accessible until opened) and cells, once and for all; sites when they are wanted.
void map_arenas();
void map_sites();
void open_stack(ThreadId t);
// What of a thread's stack can be used.
constexpr Address stack_low(ThreadId t) { return kStacks + index(t) * kStackSize + kStackGuard; }
// Gives back all but the uppermost part of it.
void trim_stack(ThreadId t);
// Forgets the contents of the pages that lie wholly in [from, to): they read as zero afterwards and cost nothing.
void discard(Address from, Address to);

constexpr bool in_arena(Address a) { return a - kArenas < kStacks - kArenas; }
constexpr bool in_own_arena(Address a) { return a - kOwnArena < kArenaSize; }
constexpr bool in_stack(Address a) { return a - kStacks < kMaxThreads * kStackSize; }
// Where only the machine itself has something.
constexpr bool in_shadow(Address a) { return a - kCells < kSites + kCovered * sizeof(uint64_t) - kCells; }

}  // namespace heddle::region
