// Strong names for the small integers that everything is indexed by.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle {

// A model thread. Ids are dense and stable over a whole run: the machine gives the pair
// (parent, index among the parent's children) the same id in every execution. Main is 0.
enum class ThreadId : uint16_t {};
// Where a thread stands in the tree of creations: its number among the threads that its parent creates, its parent's
// number and so on (thread_paths.hpp). Unlike a ThreadId it is the same in every process, whatever was explored before.
// Main is 0.
enum class ThreadPath : uint64_t {};
// An event of one execution graph: its position in the order of addition.
enum class EventId : uint32_t {};
// A memory location of the graph layer: dense, stable over a whole run.
enum class LocId : uint32_t {};
// A place in the program's source, an index into SiteTable.
enum class SiteId : uint32_t {};

using Address = uint64_t;

inline constexpr ThreadId kMain{0};
inline constexpr ThreadId kNoThread{0xffff};
inline constexpr EventId kNoEvent{0xffffffff};
inline constexpr LocId kNoLoc{0xffffffff};
inline constexpr SiteId kNoSite{0};

constexpr std::size_t index(ThreadId t) { return static_cast<std::size_t>(t); }
constexpr std::size_t index(EventId e) { return static_cast<std::size_t>(e); }
constexpr std::size_t index(LocId l) { return static_cast<std::size_t>(l); }
constexpr std::size_t index(SiteId s) { return static_cast<std::size_t>(s); }

}  // namespace heddle
