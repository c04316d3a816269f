// Shadow memory: what is known about each byte of the image and the arenas, one 64-bit cell per byte.
//
// Plain accesses are checked with epochs (epoch.hpp). A cell keeps the epoch of the last write and that of the last
// read, or the number of a row of epochs if reads are unordered.
//
//   bits  0-27  last write; 0: none
//   bits 28-55  last read, or a row number if kRow is set; 0: none
//   bits 56-63  flags
//
// A cell that is 0 has not been touched in this execution: the slow path fills it in (of an arena, from the block that
// the byte lies in; none means that the access is out of bounds). Releasing a block zeroes its cells again, so that a
// later access meets the slow path and the block's record says that it is freed. Thus allocation costs nothing per
// byte, and a restart zeroes only the cells that were used.
//
// A location is tracked once an action has used it. Its cells hold its size; naturally aligned, so its start is known.
// Invariant: the cells of a tracked location are all equal, or its first cell lacks kInit (which leads to the slow
// path).
//
// Rooms above this one that want to see accesses too leave hooks here. While there are any, each plain access goes
// through the full check once per action.
#pragma once

#include <bit>
#include <cstring>
#include <functional>

#include "core/ranges.hpp"
#include "native/heap.hpp"
#include "native/rows.hpp"

namespace heddle::cell {

inline constexpr unsigned kEpochBits = epoch::kBits;
static_assert(kEpochBits == 28);
inline constexpr uint64_t kEpoch = (1ull << kEpochBits) - 1;
inline constexpr uint64_t kWrite = kEpoch;
inline constexpr uint64_t kRead = kEpoch << kEpochBits;
inline constexpr uint64_t kLive = 1ull << 56;
inline constexpr uint64_t kInit = 1ull << 57;     // has a value
inline constexpr uint64_t kTracked = 1ull << 58;  // an action has used it
inline constexpr uint64_t kWritten = 1ull << 59;  // an action has written it: the bytes in memory are out of date
inline constexpr uint64_t kRow = 1ull << 60;
inline constexpr unsigned kSizeShift = 61;  // log2 of the tracked location's size
inline constexpr uint64_t kSize = 7ull << kSizeShift;

constexpr bool covered(Address a) { return a - region::kBase < region::kCovered; }
inline uint64_t* at(Address a) {
  HEDDLE_ASSERT(covered(a));
  return reinterpret_cast<uint64_t*>(region::kCells) + (a - region::kBase);
}
inline Address address_of(const uint64_t* c) {
  return region::kBase + static_cast<Address>(c - reinterpret_cast<const uint64_t*>(region::kCells));
}
// The site of the last write, and that of the last read.
inline uint32_t* sites_at(Address a) {
  HEDDLE_ASSERT(covered(a));
  return reinterpret_cast<uint32_t*>(region::kSites) + 2 * (a - region::kBase);
}

constexpr uint32_t write(uint64_t c) { return c & kEpoch; }
constexpr uint32_t read(uint64_t c) { return (c >> kEpochBits) & kEpoch; }
constexpr uint64_t with_write(uint64_t c, uint32_t e) { return (c & ~kWrite) | e; }
constexpr uint64_t with_read(uint64_t c, uint32_t e) {
  HEDDLE_ASSERT(e <= kEpoch);
  return (c & ~kRead) | (static_cast<uint64_t>(e) << kEpochBits);
}
constexpr unsigned size_of(uint64_t c) { return 1u << (c >> kSizeShift); }
inline uint64_t size_flags(unsigned size) {
  HEDDLE_ASSERT(std::has_single_bit(size) && size <= 16);
  return static_cast<uint64_t>(__builtin_ctz(size)) << kSizeShift;
}

// What else looks at accesses. Each may end the thread's way with an error.
struct Hooks {
  // Before a plain access is recorded; when an action is performed; whether the latter would not return.
  void (*plain)(Thread& t, Address a, uint64_t size, bool writes) = nullptr;
  void (*action)(Thread& t, Address a, unsigned size, bool writes) = nullptr;
  bool (*forbids)(const Thread& t, Address a) = nullptr;
  // Before the life of what is there ends.
  void (*ends)(Thread& t, Address a, uint64_t size) = nullptr;
  // A use of memory that has no cells, or of an address as a number.
  void (*unseen)() = nullptr;
  // t meets an earlier access of another thread to the same memory; its epoch is not 0.
  void (*meets)(const Thread& t, uint32_t e) = nullptr;
  // A part of this word of memory is read, or it is written to where it does not lie in one word.
  void (*part)(uint64_t word) = nullptr;
};

struct Tracked {
  Address addr;
  SiteId site;
  ThreadId thread;  // that has used it first
};

struct State {
  bool thorough = false;   // there are hooks for plain accesses, or sites are recorded
  bool recording = false;  // of sites of plain accesses
  Hooks hooks;
  HostVector<uint64_t> lines;  // of cells in use; an entry may occur twice, or be in use no more
  std::size_t many_lines = 0;  // when there are so many, those that say nothing are removed
  HostVector<Tracked> tracked;
  Rows rows;
  HostVector<Address> own;        // words that stores have written that count as plain ones: Assumptions::own
  uint64_t noted = 0;             // kInit: the fate of memory that has a value is noted
  bool notes_lost = false;        // in all executions: `lost`
  bool notes_losses = false;      // in each execution: `losses`
  Ranges lost;                    // memory that has lost its value while there were other threads
  HostVector<LostMemory> losses;  // likewise, while others have begun rounds that may be left out
};
extern State state;

// Promises about what threads have read (explore/spore/rechecks.hpp, explore/judge/earlier_rounds.hpp) hold as long as
// it is not lost: its life does not end, and no plain write replaces its value. Which memory is lost, in all
// executions, costs less to know than who has read it. From now on; none is lost so far.
void note_losses(bool in_all, bool in_each);
void note_lost(const Thread& t, Address a, uint64_t size);

// Tells the hook, if there is one, that t meets an earlier access to the same memory. Its own accesses tell it nothing.
inline void meet(const Thread& t, uint32_t e) {
  if (state.hooks.meets != nullptr && e != 0 && epoch::thread_of(e) != index(t.id)) [[unlikely]]
    state.hooks.meets(t, e);
}
inline void tell_unseen() {
  if (state.hooks.unseen != nullptr) [[unlikely]]
    state.hooks.unseen();
}
constexpr Address kWordMask = sizeof(uint64_t) - 1;
inline uint64_t word_at(Address a) {
  uint64_t word;
  std::memcpy(&word, pointer(a & ~kWordMask), sizeof word);
  return word;
}
// The same for a read of n bytes: the words that it reads in part.
inline void tell_parts(Address a, uint64_t n) {
  if (state.hooks.part == nullptr) [[likely]]
    return;
  if ((a & kWordMask) != 0) state.hooks.part(word_at(a));
  if (((a + n) & kWordMask) != 0) state.hooks.part(word_at(a + n));
}
// After a change of the hooks.
inline void settle_hooks() {
  rt.slow_actions &= ~Runtime::kHooked;
  if (state.hooks.action != nullptr) rt.slow_actions |= Runtime::kHooked;
  state.thorough = state.recording || state.hooks.plain != nullptr || state.hooks.meets != nullptr;
}

template <unsigned N>
inline bool uniform(const uint64_t* c) {
  uint64_t difference = 0;
  for (unsigned i = 1; i < N; ++i) difference |= c[0] ^ c[i];
  return difference == 0;
}

// How many cells from the first on are zero, of n.
inline uint64_t zero_cells(const uint64_t* c, uint64_t n) {
  uint64_t i = 0;
  while (n - i >= 8 && c[i] == 0 && uniform<8>(c + i)) i += 8;
  while (i < n && c[i] == 0) ++i;
  return i;
}
// How many cells from the first on are equal, of n, at least 1.
inline uint64_t equal_cells(const uint64_t* c, uint64_t n) {
  if (n == 8 && uniform<8>(c)) return 8;
  uint64_t i = 1;
  while (i < n && c[i] == c[0]) ++i;
  return i;
}

// Fills in the cells of [a, a + n), of which the first is zero. Does not return if the access is out of bounds.
void touch_first(Address a, uint64_t n, bool writes);
// The full check does so too, after it has asked the hooks and the rehearsal.
inline void touch_quickly(Address a, uint64_t n, bool writes) {
  if (*at(a) == 0 && !state.thorough && rt.rehearsal == nullptr) touch_first(a, n, writes);
}

// The usual case of a check, of N bytes with equal cells: they are in use, not tracked, and all earlier accesses happen
// before this one. False if it is not so; then the full check below decides.
template <unsigned N>
inline bool check_read_quickly(const Thread& t, uint64_t* c) {
  const uint64_t before = c[0];
  if ((before & (kLive | kInit | kTracked | kRow)) != (kLive | kInit) || !uniform<N>(c)) return false;
  if (state.thorough || !epoch::happens_before(write(before), t) || !epoch::happens_before(read(before), t))
    return false;
  const uint64_t after = with_read(before, epoch::recorded(t));
  undo::keep_cells(c, N, before);
  for (unsigned i = 0; i < N; ++i) c[i] = after;
  return true;
}
template <unsigned N>
inline bool check_write_quickly(const Thread& t, uint64_t* c) {
  const uint64_t before = c[0];
  if ((before & (kLive | kTracked | kRow | state.noted)) != kLive || !uniform<N>(c)) return false;
  if (state.thorough || !epoch::happens_before(write(before), t) || !epoch::happens_before(read(before), t))
    return false;
  const uint64_t after = kLive | kInit | epoch::recorded(t);
  undo::keep_cells(c, N, before);
  undo::keep_bytes<N>(pointer(address_of(c)));
  for (unsigned i = 0; i < N; ++i) c[i] = after;
  return true;
}

// Whether a covered byte may be touched at all.
bool is_memory(Address a);

// Full checks of an access to [a, a + n), all covered; they record it too. They do not return if it is an error. What
// stands in memory that is to be written is kept.
enum class Uninitialised : uint8_t { refuse, allow };
void check_read(Thread& t, Address a, uint64_t n, Uninitialised uninitialised);
void check_write(Thread& t, Address a, uint64_t n);
// Of an action, at the moment that it is performed.
enum class Use : uint8_t { load, store, update };
void check_action(Thread& t, Address a, unsigned size, Use use);
void check_alignment(Address a, unsigned size);
// Of an atomic store that counts as a plain one, as long as no other thread uses the place in no order with it. False
// if it is an action, since the thread has used the place in one.
bool check_own_store(Thread& t, Address a, unsigned size);
// Refuses an access of `size` bytes to a, atomic or a plain write, that meets a tracked location of another size at
// `other`.
[[noreturn]] void refuse_mixed(Address a, uint64_t size, Address other, bool plain = false);
// Of the end of a block's life; zeroes its cells. Whether an action has used the block.
bool check_release(Thread& t, Block& block);
// Gives back the memory of the cells of a released block.
void give_back(const Block& block);

// From now on each access to the block goes through the full check, even if the thread has just made the same.
void watch(const Block& block);

// Sets or clears kInit of each byte, after check_write.
void copy_init(Address to, const uint8_t* init, uint64_t n);
bool all_init(Address a, uint64_t n);

// Whether check_action has nothing to say or do: the location is tracked already and no plain access has touched it.
inline bool settled(Address a, unsigned size, Use use) {
  const uint64_t want = kLive | kInit | kTracked | size_flags(size);
  const uint64_t c = *at(a);
  return use == Use::load ? (c & ~(kRead | kRow | kWritten)) == want : c == (want | kWritten);
}
inline void touch(Thread& t, Address a, unsigned size, Use use) {
  if (state.hooks.action != nullptr) [[unlikely]]
    state.hooks.action(t, a, size, use != Use::load);
  if (!settled(a, size, use)) [[unlikely]]
    check_action(t, a, size, use);
}

// Calls f(a, n) for pieces that make up all bytes of [start, start + size) whose cells are in use.
void for_each_used(Address start, std::size_t size, const std::function<void(Address, std::size_t)>& f);

// Whether check_action of a load with another clock would not return.
bool load_fails(const Thread& t, Clock clock, Address a, unsigned size);
// Likewise whether check_write would not return; of an own store, check_own_store.
bool store_fails(const Thread& t, Clock clock, Address a, uint64_t size, bool own);

// For the whole run.
void end();
void record_sites(bool on);

// Back to the state before main.
void reset();

}  // namespace heddle::cell
