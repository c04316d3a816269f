// Names for addresses, as shown to a person. This room has no state.
#pragma once

#include <string>
#include <vector>

#include "core/result.hpp"
#include "native/region.hpp"

namespace heddle::names {

// What lives in the arena that belongs to no thread:
inline constexpr Address kSection = region::kOwnArena;  // SV-COMP's atomic sections are one recursive mutex
inline constexpr Address kAtExit = kSection + 64;       // how many exit handlers there are
inline constexpr Address kAtQuickExit = kAtExit + 8;    // of quick_exit
inline constexpr Address kExits = kAtExit + 16;         // whether a thread has begun to run them
inline constexpr Address kQuickExits = kExits + 8;      // of quick_exit
inline constexpr Address kKeys = region::kOwnArena + region::kPage;  // the states of thread-specific data's keys
inline constexpr std::size_t kKeyCount = 1 << 25;
inline constexpr Address kWakes = kKeys + kKeyCount;  // a word per thread: how often others have woken it
inline constexpr std::size_t kWakesSize = region::kMaxThreads * 8;
inline constexpr Address kQueues = kWakes + kWakesSize;  // which threads wait for what
inline constexpr std::size_t kQueueCount = 1 << 19, kQueueSize = 16;
static_assert(kQueues % kQueueSize == 0 &&
              kQueues + kQueueCount * kQueueSize <= region::kOwnArena + region::kArenaSize);

// What stands for the object that a word of those two is about; 0 if none. The library knows.
inline Address (*object_of)(Address a) = nullptr;

// Which thread holds the lock at an address; the library knows.
inline std::vector<Holder> (*holders_of)(Address a) = nullptr;

// "queue.head", "T1's q.locked", "Node#2.next" (the second Node that main has allocated), "malloc#1 (stack.c:12) + 8".
std::string describe(Address a);
// What a pointer to there points to: "queue", "T1's q", "Node#2", a function. Nothing if that is no object.
std::string object(Address a);
// Only if it lies in a variable, without its thread: "queue.head". Else nothing.
std::string variable(Address a);
// What a value of this size is that begins at an address, as far as the types of what lies there tell.
ValueType type(Address a, std::size_t size);
// Whether several bit-fields share the memory location there.
bool in_bit_fields(Address a);
// The size of the scalar that begins at an address, as far as the types of globals tell; else 0.
unsigned scalar_size(Address a);

}  // namespace heddle::names
